/** Pictures in which nothing can be cut out: skies, walls, floors and what a lens makes of them. Always the same. */
import type { Pixels } from './images.ts';

type Colour = readonly [number, number, number];
/** The colour at a place, both 0..1. */
type Painting = (x: number, y: number) => Colour;

const [width, height] = [640, 480];

const mixed = (one: Colour, other: Colour, share: number): Colour => [
  one[0] + (other[0] - one[0]) * share,
  one[1] + (other[1] - one[1]) * share,
  one[2] + (other[2] - one[2]) * share,
];
const scaled = (colour: Colour, by: number): Colour => [
  colour[0] * by,
  colour[1] * by,
  colour[2] * by,
];

/** A number of 0..1 for each whole place. */
function hashed(x: number, y: number): number {
  const one = Math.imul(x + 1013, 374_761_393) + Math.imul(y + 7919, 668_265_263);
  const two = Math.imul(one ^ (one >>> 13), 1_274_126_177);
  return ((two ^ (two >>> 16)) >>> 0) / 2 ** 32;
}

/** Smooth noise of 0..1: four octaves of hashed numbers between which is gone over. */
function clouds(x: number, y: number): number {
  let [sum, weight] = [0, 0];
  for (let octave = 0; octave < 4; octave += 1) {
    const [u, v] = [x * 2 ** octave, y * 2 ** octave];
    const [left, top] = [Math.floor(u), Math.floor(v)];
    const ease = (t: number) => t * t * (3 - 2 * t);
    const [a, b] = [ease(u - left), ease(v - top)];
    const row = (at: number) => hashed(left, at) * (1 - a) + hashed(left + 1, at) * a;
    sum += (row(top) * (1 - b) + row(top + 1) * b) / 2 ** octave;
    weight += 1 / 2 ** octave;
  }
  return sum / weight;
}

const grainAt = (x: number, y: number) =>
  hashed(Math.round(x * width), Math.round(y * height)) - 0.5;

interface Bricks {
  brick: Colour;
  mortar: Colour;
  columns: number;
  rows: number;
}

function bricks({ brick, mortar, columns, rows }: Bricks): Painting {
  return (x, y) => {
    const row = Math.floor(y * rows);
    const along = x * columns + (row % 2) / 2;
    const [u, v] = [along - Math.floor(along), y * rows - row];
    if (u < 0.05 || v < 0.1) return mortar;
    return scaled(brick, 0.85 + 0.3 * hashed(Math.floor(along), row));
  };
}

const paintings: Record<string, Painting> = {
  'one colour': () => [120, 130, 140],
  'a clear sky': (_, y) => mixed([80, 140, 220], [200, 220, 240], y),
  'a sky at dusk': (_, y) => mixed([30, 40, 90], [250, 150, 80], y ** 2),
  'a sky that darkens to the corners': (x, y) =>
    scaled([150, 190, 235], 1 - 0.5 * ((x - 0.5) ** 2 + (y - 0.5) ** 2)),
  'a cloudy sky': (x, y) => mixed([90, 145, 215], [245, 245, 250], clouds(x * 4, y * 3)),
  fog: (x, y) => mixed([180, 185, 190], [210, 212, 215], clouds(x * 2, y * 2)),
  'a plastered wall': (x, y) => scaled([205, 195, 180], 0.95 + 0.1 * clouds(x * 30, y * 25)),
  'a wall lit from one side': (x, y) =>
    scaled([200, 190, 170], 0.6 + 0.4 * x + 0.06 * grainAt(x, y)),
  'a brick wall': bricks({ brick: [150, 80, 65], mortar: [190, 185, 175], columns: 10, rows: 16 }),
  'large bricks': bricks({ brick: [160, 90, 70], mortar: [200, 195, 185], columns: 4, rows: 7 }),
  'small bricks': bricks({ brick: [140, 75, 60], mortar: [180, 175, 165], columns: 22, rows: 36 }),
  'pale bricks': bricks({ brick: [215, 205, 190], mortar: [120, 110, 100], columns: 8, rows: 13 }),
  'dark slates': bricks({ brick: [70, 75, 85], mortar: [25, 25, 30], columns: 9, rows: 12 }),
  'a concrete wall': (x, y) =>
    scaled([130, 130, 128], 0.8 + 0.3 * clouds(x * 8, y * 6) + 0.1 * grainAt(x, y)),
  tiles: (x, y) => ((x * 8) % 1 < 0.03 || (y * 6) % 1 < 0.04 ? [120, 120, 120] : [225, 230, 228]),
  boards: (x, y) =>
    scaled([140, 100, 65], 0.8 + 0.2 * hashed(Math.floor(x * 9), 3) + 0.15 * clouds(x * 60, y * 4)),
  noise: (x, y) => scaled([128, 128, 128], 1 + 0.6 * grainAt(x, y)),
  grass: (x, y) => scaled([70, 120, 50], 0.6 + 0.8 * clouds(x * 60, y * 60)),
  sand: (x, y) => scaled([210, 185, 140], 0.9 + 0.15 * clouds(x * 5, y * 40) + 0.1 * grainAt(x, y)),
  'a wedge of sky over a wall': (x, y) =>
    y < 0.55 - 0.5 * x
      ? mixed([90, 150, 225], [170, 205, 240], y)
      : scaled([175, 160, 140], 0.9 + 0.2 * clouds(x * 20, y * 20)),
  'a wedge of sky between walls': (x, y) =>
    Math.abs(x - 0.5) < 0.25 * (1 - y)
      ? mixed([90, 150, 225], [190, 215, 245], y)
      : scaled([110, 100, 95], 0.9 + 0.2 * clouds(x * 20, y * 20)),
  'sky over sea': (x, y) =>
    y < 0.5
      ? mixed([100, 155, 225], [205, 222, 240], y * 2)
      : scaled([40, 80, 120], 0.8 + 0.4 * clouds(x * 6, y * 60)),
  'sky over grass': (x, y) =>
    y < 0.6
      ? mixed([95, 150, 225], [200, 220, 240], y)
      : scaled([70, 120, 50], 0.6 + 0.8 * clouds(x * 60, y * 60)),
  'a corner of sky': (x, y) =>
    x + y < 0.6 ? [150, 190, 235] : scaled([90, 75, 60], 0.8 + 0.4 * clouds(x * 12, y * 12)),
};

export const subjectlessNames = Object.keys(paintings);

export function subjectless(name: string): Pixels {
  const paint = paintings[name];
  if (!paint) throw new Error(`No picture is named ${name}`);
  const data = new Uint8Array(width * height * 3);
  for (let y = 0; y < height; y += 1)
    for (let x = 0; x < width; x += 1)
      data.set(
        paint((x + 0.5) / width, (y + 0.5) / height).map((value) =>
          Math.min(Math.max(Math.round(value), 0), 255),
        ),
        (y * width + x) * 3,
      );
  return { data, width, height, channels: 3 };
}
