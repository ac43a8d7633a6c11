/** Composites with true alpha: cut-outs of `measure/` laid over photographs, the same at every run. */
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';
import { createYield } from '../../electron/engine/cancellation/yield.ts';
import { estimateEdgeColours } from '../../electron/engine/jobs/cutout/refine/edge-colours.ts';
import { createPlane, type Plane } from '../../electron/engine/raster/planes/plane.ts';

export interface Composite {
  set: string;
  name: string;
  width: number;
  height: number;
  /** RGB, interleaved. */
  picture: Uint8Array;
  /** The true alpha, 0..1. */
  alpha: Plane;
  /** RGB, interleaved: the subject's own colours where alpha is above 0. */
  foreground: Uint8Array;
  /** Side of the square mask that a network of 320 would give for the original's size. */
  maskPx: number;
}

/** A subject's own colours and alpha. */
interface Subject {
  name: string;
  width: number;
  height: number;
  /** RGBA, interleaved. */
  samples: Uint8Array;
}

interface Place {
  subject: Subject;
  x: number;
  y: number;
}

const networkPx = 320;
/** The size of picture that networkPx is thought for, so that small ones keep its proportion. */
const typicalPx = 1400;

/** Photographs without a subject of their own: a remover would be right to find that as well. */
const grounds = [
  'Ashim-DSilva.jpg',
  'Brown-Architecture.jpg',
  'Morskie-Oko.jpg',
  'Mountains-and-forest.jpg',
  'Disco-Sea-Eye-Ferns.jpg',
  'Martian-Terrain.jpg',
  'Sunset-by-the-Pier.jpg',
  'absolute-shrubbery.jpg',
  'tony-webster-97532.jpg',
];

/** The sets whose pictures are there; `skipped` says which are not. */
export async function* composites(
  shared: string,
  skipped: (what: string) => void,
): AsyncGenerator<Composite> {
  const measure = join(shared, 'benchmark/cutout/measure');
  const photographs = grounds
    .map((name) => join(shared, 'photographs', name))
    .filter((path) => existsSync(path));
  if (photographs.length === 0) {
    skipped(join(shared, 'photographs'));
    return;
  }
  const ground = (i: number) => photographs[i % photographs.length] as string;
  const fluent = join(measure, 'fluent');
  if (existsSync(fluent)) yield* fluentSets(fluent, ground);
  else skipped(fluent);
  const lemur = join(measure, 'lemur');
  if (existsSync(lemur)) yield* lemurSets(lemur, ground);
  else skipped(lemur);
}

async function* fluentSets(folder: string, ground: (i: number) => string) {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.webp'))
    .sort();
  const subjects: Subject[] = [];
  for (const name of names) subjects.push(await readSubject(join(folder, name), name));
  for (const [i, subject] of subjects.entries()) {
    const place = { subject, x: 48, y: 48 };
    yield await compose('fluent 320', subject.name, ground(i), { width: 320, height: 320 }, [
      place,
    ]);
  }
  for (let i = 0; i + 6 <= subjects.length; i += 6) {
    const places = subjects.slice(i, i + 6).map((subject, k) => ({
      subject,
      x: 60 + (k % 3) * 440 + ((i * 7 + k * 13) % 60),
      y: 60 + Math.floor(k / 3) * 430 + ((i * 5 + k * 11) % 60),
    }));
    const size = { width: 1400, height: 933 };
    yield await compose('fluent 1400', `six from ${i + 1}`, ground(i / 6), size, places);
  }
}

async function* lemurSets(folder: string, ground: (i: number) => string) {
  const subject = await readLemur(folder);
  const { width, height } = subject;
  for (let i = 0; i < 12; i += 1) {
    const place = { subject, x: 0, y: 0 };
    yield await compose('lemur 512', `over ${i + 1}`, ground(i), { width, height }, [place]);
  }
  for (let i = 0; i < 6; i += 1) {
    const places = [0, 1, 2, 3].map((k) => ({
      subject,
      x: (k % 2) * 700 + 90,
      y: Math.floor(k / 2) * 450 + 70,
    }));
    const size = { width: 1400, height: 900 };
    yield await compose('lemur 1400', `four over ${i + 1}`, ground(i), size, places);
  }
}

async function readSubject(path: string, name: string): Promise<Subject> {
  const { data, info } = await sharp(path)
    .ensureAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  return { name, width: info.width, height: info.height, samples: data };
}

/** A photograph with its alpha: its subject's colours are estimated with the true alpha. */
async function readLemur(folder: string): Promise<Subject> {
  const raw = { resolveWithObject: true } as const;
  const image = await sharp(join(folder, 'image.jpg')).removeAlpha().raw().toBuffer(raw);
  const alpha = await sharp(join(folder, 'alpha.png')).toColourspace('b-w').raw().toBuffer(raw);
  const { width, height } = image.info;
  const step = alpha.info.channels;
  const truth = planeOf(alpha.data, width, height, step, 0);
  const colours = [0, 1, 2].map((c) => planeOf(image.data, width, height, 3, c)) as [
    Plane,
    Plane,
    Plane,
  ];
  const unknown = Uint8Array.from(truth.data, (value) => (value > 0 && value < 1 ? 1 : 0));
  const yieldTurn = createYield(new AbortController().signal);
  const { foreground } = await estimateEdgeColours(colours, truth, unknown, yieldTurn);
  const samples = new Uint8Array(width * height * 4);
  for (let i = 0; i < width * height; i += 1) {
    const a = alpha.data[i * step] as number;
    for (const c of [0, 1, 2] as const) {
      const solid = image.data[i * 3 + c] as number;
      samples[i * 4 + c] = a === 255 ? solid : Math.round((foreground[c].data[i] ?? 0) * 255);
    }
    samples[i * 4 + 3] = a;
  }
  return { name: 'lemur', width, height, samples };
}

/** One band of interleaved samples, 0..1. */
export function planeOf(
  samples: Uint8Array,
  width: number,
  height: number,
  step: number,
  band: number,
): Plane {
  const to = createPlane(width, height);
  for (let i = 0; i < to.data.length; i += 1) to.data[i] = (samples[i * step + band] ?? 0) / 255;
  return to;
}

async function compose(
  set: string,
  name: string,
  ground: string,
  { width, height }: { width: number; height: number },
  places: Place[],
): Promise<Composite> {
  const picture = await sharp(ground)
    .removeAlpha()
    .extract(await middleOf(ground, width, height))
    .resize(width, height, { fit: 'fill' })
    .raw()
    .toBuffer();
  const alpha = createPlane(width, height);
  const foreground = Uint8Array.from(picture);
  for (const place of places) layOver(picture, foreground, alpha, place);
  const maskPx = Math.round((networkPx * Math.max(width, height)) / typicalPx);
  return { set, name, width, height, picture, alpha, foreground, maskPx };
}

/** A part of the photograph of that size, or as much of it as there is. */
async function middleOf(path: string, width: number, height: number) {
  const size = await sharp(path).metadata();
  const part = { width: Math.min(width, size.width), height: Math.min(height, size.height) };
  const left = Math.floor((size.width - part.width) / 2);
  return { ...part, left, top: Math.floor((size.height - part.height) / 2) };
}

function layOver(
  picture: Uint8Array,
  foreground: Uint8Array,
  alpha: Plane,
  { subject, x, y }: Place,
): void {
  for (let v = 0; v < subject.height; v += 1) {
    for (let u = 0; u < subject.width; u += 1) {
      const at = (y + v) * alpha.width + x + u;
      const from = (v * subject.width + u) * 4;
      const a = (subject.samples[from + 3] as number) / 255;
      if (a === 0) continue;
      alpha.data[at] = a;
      for (let c = 0; c < 3; c += 1) {
        const colour = subject.samples[from + c] as number;
        foreground[at * 3 + c] = colour;
        picture[at * 3 + c] = Math.round(a * colour + (1 - a) * (picture[at * 3 + c] as number));
      }
    }
  }
}
