/**
 * Tells how strongly a JPEG was compressed from the quantisation tables in its file, as libjpeg's quality
 * (1-100) whose table takes as much off a photo. Sources: ITU-T T.81, B.2.4.1 and Annex K; libjpeg's
 * jcparam.c for its rule.
 */
import { withFileBytes, type TiffBytes } from '../../files/tiff/tiff-directory.ts';

/** This is table K.1 of T.81 for brightness, row by row. */
// prettier-ignore
const standardTable = [
  16, 11, 10, 16, 24, 40, 51, 61,
  12, 12, 14, 19, 26, 58, 60, 55,
  14, 13, 16, 24, 40, 57, 69, 56,
  14, 17, 22, 29, 51, 87, 80, 62,
  18, 22, 37, 56, 68, 109, 103, 77,
  24, 35, 55, 64, 81, 104, 113, 92,
  49, 64, 78, 87, 103, 121, 120, 101,
  72, 92, 95, 98, 112, 100, 103, 99,
];

/** The n-th entry is the place in a row-by-row table of the n-th value in a file's zigzag order. */
// prettier-ignore
const zigzag = [
  0, 1, 8, 16, 9, 2, 3, 10, 17, 24, 32, 25, 18, 11, 4, 5, 12, 19, 26, 33, 40, 48, 41, 34, 27, 20, 13, 6, 7, 14, 21, 28,
  35, 42, 49, 56, 57, 50, 43, 36, 29, 22, 15, 23, 30, 37, 44, 51, 58, 59, 52, 45, 38, 31, 39, 46, 53, 60, 61, 54, 47, 55, 62, 63,
];

/** The order of a frequency in a block of 8 x 8: its column plus its row. */
export const orderOf = (i: number): number => (i % 8) + Math.floor(i / 8);

/** Gives the 64 steps of brightness, row by row, that libjpeg writes for a quality of 1-100. */
export function stepsOfQuality(quality: number): number[] {
  const percent = quality < 50 ? 5000 / quality : 200 - 2 * quality;
  return standardTable.map((step) =>
    Math.min(Math.max(Math.floor((step * Math.floor(percent) + 50) / 100), 1), 255),
  );
}

/** Finds the quality whose steps take as much off a photo as these, whatever the shape of their table. */
export function qualityOfSteps(steps: readonly number[]): number {
  const error = errorOf(steps);
  errors ??= Array.from({ length: 100 }, (_, i) => errorOf(stepsOfQuality(i + 1)));
  let best = { quality: 100, off: Infinity };
  for (const [i, own] of errors.entries()) {
    const off = Math.abs(Math.log(own / error));
    if (off <= best.off) best = { quality: i + 1, off };
  }
  return best.quality;
}

let errors: number[] | undefined;

/**
 * Estimates the squared error that rounding to the steps leaves in a photo's block: a twelfth of a step's
 * square, and no more than the coefficient itself. A coefficient's deviation falls with its order (measured
 * on eleven photographs), and differs from place to place.
 */
function errorOf(steps: readonly number[]): number {
  let sum = 0;
  for (const [i, deviation] of usualDeviations.entries())
    for (const { times, share } of places)
      sum += share / (12 / (steps[i] ?? 1) ** 2 + 1 / (times * deviation) ** 2);
  return sum;
}

const usualDeviations = standardTable.map((_, i) => (i === 0 ? 1000 : 60 / orderOf(i) ** 1.05));
const places = [
  { times: 0.05, share: 0.4 },
  { times: 0.2, share: 0.3 },
  { times: 0.7, share: 0.2 },
  { times: 2.5, share: 0.1 },
];

/** Reads a JPEG file's steps of brightness, row by row; undefined where there are none before its picture. */
export const readJpegSteps = (path: string): number[] | undefined =>
  withFileBytes(path, stepsInJpeg);

const mostSegments = 2000;

/** Tables of steps, row by row, by the number with which a frame refers to them. */
export type StepTables = Map<number, number[]>;

/**
 * Reads the steps of brightness from a JPEG's bytes: those of the table that the frame names for its first
 * component.
 * @param tables the tables that stand elsewhere; the stream's own are added to them
 */
export function stepsInJpeg(
  bytes: TiffBytes,
  tables: StepTables = new Map(),
): number[] | undefined {
  let used = 0;
  let at = 2;
  for (let i = 0; i < mostSegments; i += 1) {
    const head = bytes.read(at, 4);
    const marker = head[1] ?? 0;
    if (head.length < 4 || head[0] !== 0xff || marker === 0xda || marker === 0xd9) break;
    if (marker === 0xff) {
      at += 1; // T.81 lets any number of fill bytes stand before a marker.
      continue;
    }
    const size = head.readUInt16BE(2);
    if (size < 2) break;
    if (marker === 0xdb) readTables(bytes.read(at + 4, size - 2), tables);
    if (isFrame(marker)) used = bytes.read(at + 4, 9)[8] ?? 0;
    at += 2 + size;
  }
  return tables.get(used) ?? tables.get(0);
}

/** Tells whether a marker begins a frame: SOF0 to SOF15, without DHT, JPG and DAC, which lie among them. */
const isFrame = (marker: number) =>
  marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);

function readTables(payload: Buffer, tables: StepTables): void {
  let at = 0;
  while (at < payload.length) {
    const kind = payload[at] ?? 0;
    const bytes = kind >> 4 === 0 ? 1 : 2;
    if (at + 1 + 64 * bytes > payload.length) return;
    const steps = new Array<number>(64).fill(1);
    for (const [n, place] of zigzag.entries())
      steps[place] = Math.max(1, payload.readUIntBE(at + 1 + n * bytes, bytes));
    tables.set(kind & 15, steps);
    at += 1 + 64 * bytes;
  }
}
