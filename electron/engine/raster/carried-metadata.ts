/** What of the source's metadata goes into the result, made true for it: upright, of its new size. */
import type { MetadataChoice } from '../../contract/task.ts';
import type { Inspected } from './inspect.ts';
import type { CarriedMetadata } from './trailer.ts';

/** The profile always stays unless the colours were converted; the rest when it is to be kept. */
export function carriedMetadata(
  { metadata }: Inspected,
  choice: MetadataChoice,
  result: { width: number; height: number; converted: boolean },
): CarriedMetadata {
  const { exif, xmp, iptc, icc, density } = metadata;
  const always = { ...(icc && !result.converted && { icc }), ...(density && { density }) };
  if (choice !== 'keep') return always;
  return {
    ...always,
    ...(exif && { exif: uprightExif(exif, result.width, result.height) }),
    ...(xmp && { xmp: uprightXmp(xmp) }),
    ...(iptc && { iptc }),
  };
}

const tags = { orientation: 0x0112, exifFolder: 0x8769, width: 0xa002, height: 0xa003 };

/** A copy with orientation 1 and the new pixel dimensions; as it came where it cannot be followed. */
export function uprightExif(exif: Buffer, width: number, height: number): Buffer {
  const copy = Buffer.from(exif);
  const start = copy.toString('latin1', 0, 6) === 'Exif\0\0' ? 6 : 0;
  const tiff = copy.subarray(start);
  const order = tiff.toString('latin1', 0, 2);
  if (tiff.length < 8 || (order !== 'II' && order !== 'MM')) return copy;
  const little = order === 'II';
  const view = new DataView(tiff.buffer, tiff.byteOffset, tiff.length);
  eachEntry(view, view.getUint32(4, little), little, (tag, at) => {
    if (tag === tags.orientation) view.setUint16(at + 8, 1, little);
    if (tag !== tags.exifFolder) return;
    eachEntry(view, view.getUint32(at + 8, little), little, (inner, place) => {
      const value = inner === tags.width ? width : inner === tags.height ? height : undefined;
      if (value === undefined) return;
      // As LONG: a SHORT may be too small for the new size.
      view.setUint16(place + 2, 4, little);
      view.setUint32(place + 4, 1, little);
      view.setUint32(place + 8, value, little);
    });
  });
  return copy;
}

/** Calls with each 12-byte entry of a directory that lies inside the bytes. */
function eachEntry(
  view: DataView,
  offset: number,
  little: boolean,
  visit: (tag: number, at: number) => void,
): void {
  if (offset + 2 > view.byteLength) return;
  const count = view.getUint16(offset, little);
  for (let i = 0; i < count; i += 1) {
    const at = offset + 2 + i * 12;
    if (at + 12 > view.byteLength) return;
    visit(view.getUint16(at, little), at);
  }
}

/** XMP with tiff:Orientation 1, as attribute or element, of the same length. */
function uprightXmp(xmp: Buffer): Buffer {
  const text = xmp.toString('latin1');
  const upright = text
    .replace(/(tiff:Orientation=["'])[1-8](["'])/g, '$11$2')
    .replace(/(<tiff:Orientation>)[1-8](<)/g, '$11$2');
  return Buffer.from(upright, 'latin1');
}
