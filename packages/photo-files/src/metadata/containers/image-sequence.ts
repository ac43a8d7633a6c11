/** The pictures of an AVIF or HEIC image sequence (ISO/IEC 14496-12, 8.7.3, and 23008-12, clause 7). */
import {
  placesOfItems,
  type ItemPlace,
  ifComplete,
  boxesIn,
  type Box,
  withFileBytes,
  type TiffBytes,
} from '../../../../file-records/src/index.ts';

const maxBoxes = 1000;
/** From a track to the box with the sizes of its samples. */
const pathInTrack = ['mdia', 'minf', 'stbl', 'stsz'];

/** Pictures of the longest track; 1 for a file without tracks. */
export const picturesInSequence = (path: string): number =>
  withFileBytes(path, (bytes) => {
    const inside = ({ at, end }: Pick<Box, 'at' | 'end'>, type: string) =>
      boxesIn(bytes, at, end, maxBoxes).filter((box) => box.type === type);
    const tracks = inside({ at: 0, end: bytes.size }, 'moov').flatMap((box) => inside(box, 'trak'));
    const sizes = pathInTrack.reduce(
      (boxes, type) => boxes.flatMap((box) => inside(box, type)),
      tracks,
    );
    // Version and flags and the size of all samples come first.
    const counts = sizes.map(({ at }) => bytes.read(at + 8, 4));
    return Math.max(1, ...counts.map((count) => (count.length < 4 ? 1 : count.readUInt32BE(0))));
  });

const sequenceBrand = 'avis';
const maxBrandBytes = 128;
/** Lists of items are far shorter. */
const maxMetaBytes = 4 * 1024 * 1024;
/** Larger pictures are not read. */
const maxStillBytes = 512 * 1024 * 1024;

/**
 * Returns the still pictures of an AVIF sequence as a file of their own, without its tracks: libvips does not know the
 * sequence's brand, and libheif would read the tracks. Undefined for other files, and for sequences without a still
 * picture.
 */
export const stillOfSequence = (path: string): Buffer | undefined =>
  withFileBytes(path, (bytes) =>
    ifComplete(() => (isSequence(bytes) ? copyWithoutTracks(bytes) : undefined)),
  );

/** Whether the brand of sequences is among the file's, its own or a compatible one. */
function isSequence(bytes: TiffBytes): boolean {
  const brands = bytes.read(0, Math.min(maxBrandBytes, bytes.read(0, 4).readUInt32BE(0)));
  return brands.includes(sequenceBrand, 8, 'latin1');
}

const boxHeadBytes = 8;
/** A `ftyp` box without the brands of sequences, also among the compatible ones, of which libheif would read tracks. */
const stillFileType = Buffer.from('\0\0\0\x1cftypavif\0\0\0\0avifmif1miaf', 'latin1');

function copyWithoutTracks(bytes: TiffBytes): Buffer | undefined {
  const boxes = boxesIn(bytes, 0, bytes.size, maxBoxes);
  const meta = boxes.find(({ type }) => type === 'meta');
  const places = placesOfItems(bytes);
  if (boxes[0]?.type !== 'ftyp' || !meta || !places) return undefined;
  // A box with a length of 64 bits is for contents beyond 4 GB.
  if (bytes.read(meta.at - 4, 4).toString('latin1') !== 'meta') return undefined;
  const metaAt = meta.at - boxHeadBytes;
  if (meta.end - metaAt > maxMetaBytes) return undefined;
  const head = Buffer.concat([stillFileType, bytes.read(metaAt, meta.end - metaAt)]);
  const moved = movedRanges(places, head.length + boxHeadBytes, bytes.size);
  if (!moved) return undefined;
  for (const { base, extents } of places) {
    const write = ({ at, sizeBytes }: ItemPlace['base'], value: number) => {
      const toAt = at - metaAt + stillFileType.length;
      if (sizeBytes === 8) head.writeBigUInt64BE(BigInt(value), toAt);
      else head.writeUIntBE(value, toAt, sizeBytes);
    };
    const isByBase = extents.every(({ field }) => field.sizeBytes === 0);
    if (isByBase && extents.length > 1) return undefined;
    const placeOf = (extent?: Range) => (extent && moved.places.get(keyOf(extent))) ?? 0;
    if (base.sizeBytes > 0) write(base, isByBase ? placeOf(extents[0]) : 0);
    if (!isByBase) for (const extent of extents) write(extent.field, placeOf(extent));
  }
  const dataHead = Buffer.alloc(boxHeadBytes);
  dataHead.writeUInt32BE(boxHeadBytes + moved.sizeBytes);
  dataHead.write('mdat', 4, 'latin1');
  const data = moved.ranges.map(({ from, length }) => bytes.read(from, length));
  return Buffer.concat([head, dataHead, ...data]);
}

interface Range {
  from: number;
  length: number;
}

const keyOf = ({ from, length }: Range) => `${from}:${length}`;

/** Places the ranges of all items one after another from an offset on, each once; undefined if they are too large. */
function movedRanges(places: readonly ItemPlace[], start: number, fileBytes: number) {
  const ranges: Range[] = [];
  const moved = new Map<string, number>();
  let end = start;
  for (const range of places.flatMap(({ extents }) => extents)) {
    if (moved.has(keyOf(range))) continue;
    // A length of 0 is that of the whole file.
    if (range.length === 0 || range.from + range.length > fileBytes) return undefined;
    moved.set(keyOf(range), end);
    ranges.push(range);
    end += range.length;
    if (end > maxStillBytes) return undefined;
  }
  return { ranges, places: moved, sizeBytes: end - start };
}
