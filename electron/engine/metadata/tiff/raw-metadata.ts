/** Reads the EXIF of camera RAW from each maker's location. */
import {
  bytesInMemory,
  openLayout,
  withFileBytes,
  type TiffBytes,
} from '../../../files/tiff/tiff-directory.ts';
import type { ExifModel } from '../../../files/tiff/exif-model.ts';
import { readExifBlock, readTiffExif } from '../exif/read-exif.ts';

export function readRawExif(path: string): ExifModel | undefined {
  return withFileBytes(path, (bytes) => {
    const head = bytes.read(0, 16).toString('latin1');
    if (head.startsWith('FUJIFILM')) return ofFuji(bytes);
    if (head.slice(4, 8) === 'ftyp') return ofCanonBoxes(bytes);
    const layout = openLayout(bytes);
    return layout && readTiffExif(layout);
  });
}

/** Reads the EXIF of the JPEG inside a Fuji file. */
function ofFuji(bytes: TiffBytes): ExifModel | undefined {
  const pointer = bytes.read(84, 8);
  if (pointer.length < 8) return undefined;
  const preview = bytes.read(
    pointer.readUInt32BE(0),
    Math.min(pointer.readUInt32BE(4), 128 * 1024),
  );
  const at = preview.indexOf('Exif\0\0', 0, 'latin1');
  return at < 0 ? undefined : readExifBlock(preview.subarray(at));
}

const maxHeadBytes = 1024 * 1024;

/** A CR3 holds one TIFF per directory, in the boxes CMT1 (image), CMT2 (photo) and CMT4 (GPS). */
function ofCanonBoxes(bytes: TiffBytes): ExifModel | undefined {
  const head = bytes.read(0, maxHeadBytes);
  const directoryIn = (name: string) => {
    const at = head.indexOf(name, 0, 'latin1');
    if (at < 4) return undefined;
    const size = head.readUInt32BE(at - 4);
    const layout = openLayout(bytesInMemory(head.subarray(at + 4, at - 4 + size)));
    return layout && readTiffExif(layout, () => true);
  };
  const image = directoryIn('CMT1');
  if (!image) return undefined;
  const photo = directoryIn('CMT2')?.image ?? [];
  return { ...image, photo, gps: directoryIn('CMT4')?.image ?? [], interop: [] };
}
