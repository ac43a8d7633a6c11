/** Detects camera RAW by its directories, and whether its sensor data is complete. */
import { boxesIn } from '../iso-boxes.ts';
import {
  openLayout,
  readDirectory,
  readNumber,
  withFileBytes,
  type RawEntry,
  type TiffBytes,
  type TiffLayout,
} from './tiff-directory.ts';

const photometricTag = 0x0106;
const subDirectoriesTag = 0x014a;
const dngVersionTag = 0xc612;
/** Photometric interpretations: colour filter array, and a DNG's linear RAW. */
const rawPhotometrics = [32_803, 34_892];

/** True for a TIFF-based file with sensor data. */
export function isRawTiff(path: string): boolean {
  return withFileBytes(path, (bytes) => {
    const layout = openLayout(bytes);
    if (!layout) return false;
    const isCanon = bytes.read(8, 2).toString('latin1') === 'CR';
    const all = directoriesOf(layout);
    const isDng = all[0]?.some(({ tag }) => tag === dngVersionTag) ?? false;
    return isCanon || isDng || all.some((entries) => isOfSensor(layout, entries));
  });
}

/** The first few directories, and the subdirectories of the first one. */
function directoriesOf(layout: TiffLayout): RawEntry[][] {
  const found: RawEntry[][] = [];
  let at = layout.firstDirectory;
  for (let i = 0; i < 5 && at > 0; i += 1) {
    const { entries, next } = readDirectory(layout, at);
    found.push(entries);
    at = next;
  }
  const below = numbersOf(layout, found[0] ?? [], subDirectoriesTag);
  return [...found, ...below.map((place) => readDirectory(layout, place).entries)];
}

/** Limits of followed pointers and checked strips or tiles. */
const few = 16;
const many = 10_000;

/** First numbers of an integer entry. */
function numbersOf(layout: TiffLayout, entries: RawEntry[], wanted: number, max = few): number[] {
  const entry = entries.find(({ tag }) => tag === wanted);
  if (!entry) return [];
  const size = entry.sizeBytes / Math.max(1, entry.count);
  return Array.from({ length: Math.min(entry.count, max) }, (_, i) => {
    const one = { ...entry, count: 1, valueAt: entry.valueAt + i * size, sizeBytes: size };
    return readNumber(layout, one) ?? 0;
  });
}

const isOfSensor = (layout: TiffLayout, entries: RawEntry[]): boolean =>
  numbersOf(layout, entries, photometricTag).some((kind) => rawPhotometrics.includes(kind));

/** Tags of offsets and byte counts, of strips and of tiles. */
const offsetTags = [
  [0x0111, 0x0117],
  [0x0144, 0x0145],
] as const;

/** False if the file ends before its data; LibRaw would fill the rest with black. */
export function isCompleteRaw(path: string): boolean {
  return withFileBytes(path, (bytes) => {
    const head = bytes.read(0, 128);
    const kind = head.toString('latin1', 0, 16);
    if (kind.startsWith('FUJIFILM'))
      return head.readUInt32BE(100) + head.readUInt32BE(104) <= bytes.size;
    if (kind.slice(4, 8) === 'ftyp') return areBoxesComplete(bytes);
    if (kind.slice(6, 14) === 'HEAPCCDR') return isCompleteCrw(bytes);
    if (kind.startsWith('\0MRM')) return isCompleteMrw(bytes);
    if (kind.startsWith('FOVb')) return isCompleteX3f(bytes);
    const layout = openLayout(bytes);
    return layout !== undefined && directoriesOf(layout).every((one) => isInside(layout, one));
  });
}

/** A number at the end of a file, where CRW and X3F say where their directory lies. */
const lastLong = (bytes: TiffBytes): number =>
  bytes.size < 4 ? Infinity : bytes.read(bytes.size - 4, 4).readUInt32LE(0);

/** Canon's heap ends with the offset of its directory, of 10 bytes an entry. */
function isCompleteCrw(bytes: TiffBytes): boolean {
  const at = bytes.read(2, 4).readUInt32LE(0) + lastLong(bytes);
  if (at + 2 > bytes.size) return false;
  const count = bytes.read(at, 2).readUInt16LE(0);
  return count > 0 && count <= 127 && at + 2 + 10 * count <= bytes.size;
}

/** Minolta's first block names the sensor's size and its bits for each pixel; the pixels follow the header. */
function isCompleteMrw(bytes: TiffBytes): boolean {
  const head = bytes.read(0, 33);
  if (head.length < 33 || head.toString('latin1', 8, 12) !== '\0PRD') return false;
  const pixels = head.readUInt16BE(24) * head.readUInt16BE(26);
  return 8 + head.readUInt32BE(4) + (pixels * (head[32] ?? 0)) / 8 <= bytes.size;
}

/** Sigma's file ends with the offset of its directory. */
const isCompleteX3f = (bytes: TiffBytes): boolean =>
  bytes.read(Math.min(lastLong(bytes), bytes.size), 4).toString('latin1') === 'SECd';

function isInside(layout: TiffLayout, entries: RawEntry[]): boolean {
  return offsetTags.every(([offsetTag, sizeTag]) => {
    const sizes = numbersOf(layout, entries, sizeTag, many);
    return numbersOf(layout, entries, offsetTag, many).every(
      (offset, i) => offset + (sizes[i] ?? 0) <= layout.bytes.size || offset === 0xffffffff,
    );
  });
}

const maxBoxes = 100;

const areBoxesComplete = (bytes: TiffBytes): boolean =>
  boxesIn(bytes, 0, bytes.size, maxBoxes).at(-1)?.end === bytes.size;
