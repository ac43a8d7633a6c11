/**
 * Whether letters stay letters: what an OCR (tesseract) reads of drawn signs that were reduced, saved as JPEGs and
 * enlarged 4x again, as a share of their characters.
 */
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';
import { readPixels, type Pixels } from '../support/images.ts';
import { printTable } from './bench-pictures.ts';
import { pixelsOf, rawOf } from './quality-crops.ts';
import type { Column } from './quality-detail.ts';
import { bicubic } from './quality-measures.ts';

const signScale = 4;
/** Height of the reduced signs' capitals, about; in turn. */
const capitalsPx = [5, 6, 7, 8];
const qualities = [92, 85, 75, 60];
const fonts = ['DejaVu Sans', 'DejaVu Sans Bold', 'DejaVu Serif', 'DejaVu Sans Mono'];
/** Lettering and ground, as on road signs, shop fronts and doors. */
const colours = [
  ['#101010', '#f2f2ee'],
  ['#ffffff', '#1f4f9c'],
  ['#ffffff', '#20653c'],
  ['#202020', '#f3c518'],
  ['#f4efe0', '#6b2b23'],
] as const;

const texts = [
  'Station Road',
  'Platform 12',
  'No parking 8-18 h',
  'Bakery and Coffee',
  'Museum of Glass',
  'Exit to Harbour',
  'Ticket office',
  'Keep right',
  'Mill Lane 47',
  'Open until 21:30',
  'Danger: deep water',
  'Library entrance',
  'Speed limit 60',
  'Fresh fish daily',
  'Garden centre',
  'Bus stop 903',
  'Please ring twice',
  'Private property',
  'Fire assembly point',
  'Highway 66 North',
];

/** A drawn sign, reduced from four times its size. */
async function drawnSign(text: string, n: number): Promise<Pixels> {
  const pick = <T>(from: readonly T[]): T => from[n % from.length] as T;
  const [ink, ground] = pick(colours);
  const dpi = Math.round((pick(capitalsPx) * signScale * 72) / (0.73 * 12));
  const markup = `<span foreground="${ink}">${text}</span>`;
  const lettering = await sharp({
    text: { text: markup, font: `${pick(fonts)} 12`, dpi, rgba: true },
  })
    .png()
    .toBuffer();
  const large = await sharp(lettering)
    .flatten({ background: ground })
    .extend({ top: 48, bottom: 48, left: 64, right: 64, background: ground })
    .png()
    .toBuffer({ resolveWithObject: true });
  const width = Math.round(large.info.width / signScale);
  const height = Math.round(large.info.height / signScale);
  return pixelsOf(
    sharp(large.data).resize({ width, height, fit: 'fill', kernel: 'cubic' }).removeAlpha(),
  );
}

/** Reads one line of text. @throws if tesseract is not installed */
async function readText(picture: Pixels): Promise<string> {
  const input = await rawOf(picture).png().toBuffer();
  const settings = ['stdin', 'stdout', '--psm', '7', '--dpi', '200'];
  const environment = { ...process.env, OMP_THREAD_LIMIT: '1' };
  const stdio = ['pipe', 'pipe', 'ignore'] as const;
  const read = execFileSync('tesseract', settings, { input, env: environment, stdio: [...stdio] });
  return read.toString().trim();
}

/** Least number of characters to insert, delete or replace (Levenshtein 1966). */
function editDistance(a: string, b: string): number {
  let previous = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (const [i, own] of Array.from(a).entries()) {
    const next = [i + 1];
    for (const [k, other] of Array.from(b).entries())
      next.push(
        Math.min(
          (next[k] as number) + 1,
          (previous[k + 1] as number) + 1,
          (previous[k] as number) + (own === other ? 0 : 1),
        ),
      );
    previous = next;
  }
  return previous[b.length] as number;
}

/** Prints what is read of each sign. @returns whether those of the first `own` columns are read as well as bicubic's */
export async function measureSigns(
  columns: readonly Column[],
  own: number,
  scratch: string,
): Promise<boolean> {
  const rows: string[][] = [];
  const wrong = new Array<number>(columns.length + 1).fill(0);
  const whole = new Array<number>(columns.length + 1).fill(0);
  for (const [n, text] of texts.entries()) {
    const file = join(scratch, `sign-${n}.jpg`);
    const quality = qualities[(n >> 2) % qualities.length] ?? 85;
    writeFileSync(
      file,
      await rawOf(await drawnSign(text, n))
        .jpeg({ quality })
        .toBuffer(),
    );
    const results = [bicubic(await readPixels(file), signScale)];
    for (const { enlarge } of columns) results.push(await enlarge(file));
    const read: string[] = [];
    for (const [column, result] of results.entries()) {
      const found = await readText(result);
      const distance = Math.min(editDistance(found, text), text.length);
      wrong[column] = (wrong[column] ?? 0) + distance;
      whole[column] = (whole[column] ?? 0) + (distance === 0 ? 1 : 0);
      read.push(found);
    }
    rows.push([text, String(quality), ...read]);
  }
  const characters = texts.reduce((sum, text) => sum + text.length, 0);
  const share = (count: number) => `${(100 * (1 - count / characters)).toFixed(1)} %`;
  rows.push(['signs without a mistake', '', ...whole.map(String)]);
  rows.push([`of ${characters} characters`, '', ...wrong.map(share)]);
  printTable(['sign', 'JPEG', 'bicubic', ...columns.map(({ name }) => name)], rows);
  return wrong.slice(1, own + 1).every((count) => count <= (wrong[0] ?? 0));
}
