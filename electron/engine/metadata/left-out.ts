/** What a file holds beside its picture that no result does, a sentence each. */
import type { RawEntry } from './tiff/tiff-directory.ts';

const ofTiff: [tags: number[], sentence: string][] = [
  [
    [0x830e, 0x8480, 0x8482, 0x85d8, 0x87af, 0xa480],
    'Its place on a map (GeoTIFF) was left out: it holds for the old pixels only.',
  ],
  [
    [0x935c],
    'Its Photoshop layers were left out: the picture that the file shows without them was enlarged.',
  ],
];

export const leftOutOfTiff = (entries: readonly RawEntry[]): string[] =>
  ofTiff.flatMap(([tags, sentence]) =>
    entries.some(({ tag }) => tags.includes(tag)) ? [sentence] : [],
  );
