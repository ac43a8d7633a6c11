/**
 * Estimates a JPEG's quality on libjpeg's scale (1-100) from its quantisation tables: the quality whose table
 * removes as much from a photo. Sources: ITU-T T.81, B.2.4.1 and Annex K; libjpeg's jcparam.c.
 */
import { readSegment, segmentHeadBytes, startOfScan } from './jpeg-segments.ts';
import { withFileBytes, type TiffBytes } from './tiff/tiff-directory.ts';

/** Table K.1 of T.81 (luminance), row-major. */
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

/** Row-major index of the n-th value in zigzag order. */
// prettier-ignore
const zigzag = [
  0, 1, 8, 16, 9, 2, 3, 10, 17, 24, 32, 25, 18, 11, 4, 5, 12, 19, 26, 33, 40, 48, 41, 34, 27, 20, 13, 6, 7, 14, 21, 28,
  35, 42, 49, 56, 57, 50, 43, 36, 29, 22, 15, 23, 30, 37, 44, 51, 58, 59, 52, 45, 38, 31, 39, 46, 53, 60, 61, 54, 47, 55, 62, 63,
];

/** Order of a frequency in an 8 x 8 block: column plus row. */
export const orderOf = (i: number): number => (i % 8) + Math.floor(i / 8);

/** The 64 luminance steps, row-major, that libjpeg writes for a quality of 1-100. */
export function stepsOfQuality(quality: number): number[] {
  const percent = quality < 50 ? 5000 / quality : 200 - 2 * quality;
  return standardTable.map((step) =>
    Math.min(Math.max(Math.floor((step * Math.floor(percent) + 50) / 100), 1), 255),
  );
}

/**
 * Returns the quality whose steps remove as much from a photo as these, whatever the shape of their table.
 */
export function qualityOfSteps(steps: readonly number[]): number {
  const error = errorOf(steps);
  errors ??= Array.from({ length: 100 }, (_, i) => errorOf(stepsOfQuality(i + 1)));
  let best = { quality: 100, off: Infinity };
  for (const [i, own] of errors.entries()) {
    const distance = Math.abs(Math.log(own / error));
    if (distance <= best.off) best = { quality: i + 1, off: distance };
  }
  return best.quality;
}

let errors: number[] | undefined;

/**
 * Expected squared error of quantising a photo's block: a twelfth of a step's square, at most the
 * coefficient's own. A coefficient's deviation falls with its order (measured on eleven photographs) and
 * varies over the picture.
 */
function errorOf(steps: readonly number[]): number {
  let sum = 0;
  for (const [i, deviation] of typicalDeviations.entries())
    for (const { times, share } of regions)
      sum += share / (12 / (steps[i] ?? 1) ** 2 + 1 / (times * deviation) ** 2);
  return sum;
}

const typicalDeviations = standardTable.map((_, i) => (i === 0 ? 1000 : 60 / orderOf(i) ** 1.05));
const regions = [
  { times: 0.05, share: 0.4 },
  { times: 0.2, share: 0.3 },
  { times: 0.7, share: 0.2 },
  { times: 2.5, share: 0.1 },
];

/** Reads a JPEG's luminance steps, row-major; undefined if there are none before its scan. */
export const readJpegSteps = (path: string): number[] | undefined =>
  withFileBytes(path, stepsInJpeg);

const maxSegments = 2000;

/** Row-major tables by the number with which a frame refers to them. */
export type StepTables = Map<number, number[]>;

/**
 * Reads the luminance steps from a JPEG stream: the table of the frame's first component.
 *
 * @param tables tables from elsewhere; the stream's own are added
 */
export function stepsInJpeg(
  bytes: TiffBytes,
  tables: StepTables = new Map(),
): number[] | undefined {
  let used = 0;
  let at = 2;
  for (let i = 0; i < maxSegments; i += 1) {
    const segment = readSegment(bytes.read(at, segmentHeadBytes), at);
    if (!segment || segment.marker === startOfScan) break;
    const { marker, at: payloadAt, end } = segment;
    if (marker === 0xdb) readTables(bytes.read(payloadAt, end - payloadAt), tables);
    if (isFrame(marker)) used = bytes.read(payloadAt, 9)[8] ?? 0;
    at = end;
  }
  return tables.get(used) ?? tables.get(0);
}

/** Whether a marker begins a frame: SOF0 to SOF15, except DHT, JPG and DAC among them. */
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
