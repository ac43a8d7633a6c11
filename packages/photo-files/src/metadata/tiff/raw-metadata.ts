/** Reads the EXIF of camera RAW from each maker's location. */
import {
  boxesIn,
  type Box,
  bytesInMemory,
  openLayout,
  withFileBytes,
  type TiffBytes,
} from '../../../../file-records/src/index.ts';
import type { ExifModel } from '../exif/exif-model.ts';
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

const maxBoxes = 100;
const maxDirectoryBytes = 1024 * 1024;
/** The user type of a `uuid` box, before its content. */
const userTypeBytes = 16;

/**
 * A CR3 holds one TIFF for each directory, in the boxes CMT1 (image), CMT2 (photo) and CMT4 (GPS) of a uuid box in
 * moov (https://github.com/lclevy/canon_cr3).
 */
function ofCanonBoxes(bytes: TiffBytes): ExifModel | undefined {
  const boxesOf = ({ at, end }: Box) => boxesIn(bytes, at, end, maxBoxes);
  const canon = boxesOf({ type: '', at: 0, end: bytes.size })
    .filter(({ type }) => type === 'moov')
    .flatMap(boxesOf)
    .filter(({ type }) => type === 'uuid')
    .flatMap((box) => boxesOf({ ...box, at: box.at + userTypeBytes }));
  const directoryIn = (type: string) => {
    const box = canon.find((one) => one.type === type);
    if (!box || box.end - box.at > maxDirectoryBytes) return undefined;
    const layout = openLayout(bytesInMemory(bytes.read(box.at, box.end - box.at)));
    return layout && readTiffExif(layout, () => true);
  };
  const image = directoryIn('CMT1');
  if (!image) return undefined;
  const photo = directoryIn('CMT2')?.image ?? [];
  return { ...image, photo, gps: directoryIn('CMT4')?.image ?? [], interop: [] };
}
