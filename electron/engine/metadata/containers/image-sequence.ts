/** Counts the pictures of an AVIF or HEIC image sequence (ISO/IEC 14496-12, 8.7.3, and 23008-12, clause 7). */
import { readFileSync } from 'node:fs';
import { boxesIn, type Box } from '../../../files/iso-boxes.ts';
import { bytesInMemory, withFileBytes } from '../../../files/tiff/tiff-directory.ts';

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

const brandAt = 8;
const sequenceBrand = 'avis';

/** Larger sequences are not read. */
const maxSequenceBytes = 512 * 1024 * 1024;

/**
 * Returns an AVIF sequence as a file of its primary picture alone: libvips does not know its brand, and libheif
 * reads its tracks. Undefined for other files.
 */
export function stillOfSequence(path: string): Buffer | undefined {
  const isSequence = withFileBytes(
    path,
    (bytes) =>
      bytes.read(brandAt, 4).toString('latin1') === sequenceBrand && bytes.size <= maxSequenceBytes,
  );
  if (!isSequence) return undefined;
  const file = readFileSync(path);
  file.write('avif', brandAt, 'latin1');
  for (const { type, at } of boxesIn(bytesInMemory(file), 0, file.length, maxBoxes))
    if (type === 'moov' && file.readUInt32BE(at - 8) !== 1) file.write('free', at - 4, 'latin1');
  return file;
}
