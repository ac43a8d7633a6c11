/**
 * Reads the quantisation steps of a TIFF with JPEG strips or tiles, from the shared tables and from those of
 * the first one (Adobe Photoshop TIFF Technical Notes, 2002, "JPEG-in-TIFF").
 */
import {
  bytesInMemory,
  numbersByTag,
  openLayout,
  readDirectory,
  readEntry,
  withFileBytes,
  type TiffBytes,
  stepsInJpeg,
  type StepTables,
} from '../../../../file-records/src/index.ts';
import { layoutTags } from '../../tiff/tiff-layout.ts';

const jpegCompression = 7;

/** Luminance steps, row-major; undefined for a TIFF without JPEGs or without steps. */
export const readTiffSteps = (path: string): number[] | undefined =>
  withFileBytes(path, stepsInTiff);

/** Reads the steps of the first directory, which is the picture that is decoded. */
export function stepsInTiff(bytes: TiffBytes): number[] | undefined {
  const layout = openLayout(bytes);
  if (!layout) return undefined;
  const { entries } = readDirectory(layout, layout.firstDirectory);
  const rawOf = (tag: number) => entries.find((raw) => raw.tag === tag);
  const numberOf = numbersByTag(layout, entries);
  if (numberOf(layoutTags.compression) !== jpegCompression) return undefined;
  const shared = rawOf(layoutTags.jpegTables);
  const sharedBytes = shared && readEntry(layout, shared)?.bytes;
  const tables: StepTables = new Map();
  if (sharedBytes) stepsInJpeg(bytesInMemory(sharedBytes), tables);
  const at = numberOf(layoutTags.tileOffsets) ?? numberOf(layoutTags.stripOffsets) ?? bytes.size;
  const first = {
    size: Math.max(0, bytes.size - at),
    read: (offset: number, length: number) =>
      at + offset < bytes.size ? bytes.read(at + offset, length) : Buffer.alloc(0),
  };
  return stepsInJpeg(first, tables);
}
