/** Recognises camera RAW by its directories, and whether the sensor's data is complete. */
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
/** A colour filter array and a DNG's linear RAW have these photometric interpretations. */
const rawPhotometrics = [32_803, 34_892];

/** Tells whether a file with a TIFF's first bytes holds a sensor's data. */
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

/** Reads the first few directories and those below the first one. */
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

/** At most `few` pointers are followed, and at most `many` strips or tiles checked. */
const few = 16;
const many = 10_000;

/** Reads the first numbers of an entry that holds whole numbers. */
function numbersOf(layout: TiffLayout, entries: RawEntry[], wanted: number, most = few): number[] {
  const entry = entries.find(({ tag }) => tag === wanted);
  if (!entry) return [];
  const size = entry.sizeBytes / Math.max(1, entry.count);
  return Array.from({ length: Math.min(entry.count, most) }, (_, i) => {
    const one = { ...entry, count: 1, valueAt: entry.valueAt + i * size, sizeBytes: size };
    return readNumber(layout, one) ?? 0;
  });
}

const isOfSensor = (layout: TiffLayout, entries: RawEntry[]): boolean =>
  numbersOf(layout, entries, photometricTag).some((kind) => rawPhotometrics.includes(kind));

/** Each pair has the tags of offsets and of sizes, for strips and for tiles. */
const places = [
  [0x0111, 0x0117],
  [0x0144, 0x0145],
] as const;

/** Answers false when the file ends before its data does, because LibRaw would fill the rest with black. */
export function isWholeRaw(path: string): boolean {
  return withFileBytes(path, (bytes) => {
    const head = bytes.read(0, 128);
    const kind = head.toString('latin1', 0, 16);
    if (kind.startsWith('FUJIFILM'))
      return head.readUInt32BE(100) + head.readUInt32BE(104) <= bytes.size;
    if (kind.slice(4, 8) === 'ftyp') return areBoxesWhole(bytes);
    const layout = openLayout(bytes);
    return layout !== undefined && directoriesOf(layout).every((one) => isInside(layout, one));
  });
}

function isInside(layout: TiffLayout, entries: RawEntry[]): boolean {
  return places.every(([offsetTag, sizeTag]) => {
    const sizes = numbersOf(layout, entries, sizeTag, many);
    return numbersOf(layout, entries, offsetTag, many).every(
      (offset, i) => offset + (sizes[i] ?? 0) <= layout.bytes.size || offset === 0xffffffff,
    );
  });
}

function areBoxesWhole(bytes: TiffBytes): boolean {
  let at = 0;
  for (let i = 0; i < 100 && at < bytes.size; i += 1) {
    const head = bytes.read(at, 16);
    if (head.length < 16) return false;
    const size = head.readUInt32BE(0);
    if (size === 0) return true;
    at += size === 1 ? Number(head.readBigUInt64BE(8)) : size;
  }
  return at === bytes.size;
}
