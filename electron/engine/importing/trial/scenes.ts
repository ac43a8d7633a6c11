/**
 * Drawn scenes with exact masks, for trying mask networks. A strong network finds a ball whatever values it
 * is given; only pale on pale and dark on dark reveal the values for which it was trained.
 */
import { photograph, subject, type TrialPicture } from './sample.ts';

export interface Scene extends TrialPicture {
  /** Row-major, 0..1: coverage of each pixel. */
  mask: Float32Array;
}

/**
 * Signed distance to a shape's edge in picture heights, negative inside; u and v are 0..1 across and down.
 */
type Shape = (u: number, v: number) => number;
/** RGB, 0..1, at a point; `grain` is the texture of a photograph there, 0..1. */
type Paint = (u: number, v: number, grain: number) => readonly [number, number, number];

const disc =
  (x: number, y: number, radius: number): Shape =>
  (u, v) =>
    Math.hypot(u - x, v - y) - radius;
const ring =
  (x: number, y: number, radius: number, thickness: number): Shape =>
  (u, v) =>
    Math.abs(disc(x, y, radius)(u, v)) - thickness / 2;
const block =
  (x: number, y: number, halfWidth: number, halfHeight: number): Shape =>
  (u, v) =>
    Math.max(Math.abs(u - x) - halfWidth, Math.abs(v - y) - halfHeight);
const union =
  (...shapes: Shape[]): Shape =>
  (u, v) =>
    Math.min(...shapes.map((shape) => shape(u, v)));
const intersection =
  (...shapes: Shape[]): Shape =>
  (u, v) =>
    Math.max(...shapes.map((shape) => shape(u, v)));

const mug = union(block(0.45, 0.55, 0.17, 0.2), ring(0.64, 0.55, 0.1, 0.05));
const person = union(
  disc(0.5, 0.3, 0.11),
  block(0.5, 0.62, 0.16, 0.2),
  block(0.44, 0.9, 0.05, 0.12),
  block(0.56, 0.9, 0.05, 0.12),
);
const leaf = intersection(disc(0.35, 0.5, 0.3), disc(0.65, 0.5, 0.3));

const grey = (value: number) => [value, value, value] as const;

/** The hardest come first, so that wrong values are eliminated early. */
const drawings: { shape: Shape; subject: Paint; ground: Paint }[] = [
  {
    shape: mug,
    subject: (u) => [0.945 - 0.15 * u, 0.925 - 0.15 * u, 0.86],
    ground: (_, v) => grey(0.97 - 0.04 * v),
  },
  {
    shape: person,
    subject: (_, v, grain) =>
      v < 0.41 ? [0.8, 0.6, 0.5] : v < 0.8 ? [0.2, 0.3 + 0.2 * grain, 0.6] : [0.15, 0.12, 0.12],
    ground: (_, v, grain) =>
      v > 0.8
        ? [0.35 + 0.2 * grain, 0.32 + 0.2 * grain, 0.28]
        : [0.5 + 0.3 * grain, 0.6 + 0.3 * grain, 0.45 + 0.2 * grain],
  },
  {
    shape: disc(0.5, 0.52, 0.22),
    subject: (_, v, grain) => [0.16 + 0.2 * grain * (1 - v), 0.1 + 0.1 * grain, 0.06],
    ground: (_u, _v, grain) => [0.02 + 0.06 * grain, 0.03 + 0.06 * grain, 0.06 + 0.05 * grain],
  },
  {
    shape: leaf,
    subject: (_u, _v, grain) => [0.2 + 0.2 * grain, 0.45 + 0.3 * grain, 0.15],
    ground: (_u, _v, grain) => [0.45 + 0.35 * grain, 0.36 + 0.3 * grain, 0.25 + 0.2 * grain],
  },
  {
    shape: mug,
    subject: (_u, _v, grain) => [0.12 + 0.1 * grain, 0.13 + 0.1 * grain, 0.2 + 0.1 * grain],
    ground: (_, v) => grey(0.8 - 0.2 * v),
  },
];

/** Draws the scenes, the hardest first and a bright ball last. */
export function drawScenes(width: number, height: number): Scene[] {
  const texture = photograph(width, height);
  const copy = () => ({ ...texture, colours: texture.colours.slice() });
  return [...drawings.map((drawing) => draw(drawing, copy())), subject(copy())];
}

/** Draws over a photograph. */
function draw(
  { shape, subject: front, ground }: (typeof drawings)[number],
  { width, height, colours }: TrialPicture,
): Scene {
  const mask = new Float32Array(width * height);
  for (let i = 0; i < mask.length; i += 1) {
    const u = (i % width) / width;
    const v = Math.floor(i / width) / height;
    const covered = Math.min(Math.max(0.5 - shape(u, v) * height, 0), 1);
    const grain = colours[i * 3] as number;
    const [behind, before] = [ground(u, v, grain), front(u, v, grain)];
    for (let band = 0; band < 3; band += 1) {
      const value = behind[band] as number;
      colours[i * 3 + band] = value + ((before[band] as number) - value) * covered;
    }
    mask[i] = covered;
  }
  return { width, height, colours, mask };
}
