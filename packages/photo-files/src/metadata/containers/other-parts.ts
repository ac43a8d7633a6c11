/**
 * Notes on what a file holds beside its picture and no result can hold: films, depth, further views, and what
 * cameras and programs append. Sources: CIPA DC-007, ISO/IEC 23008-12, and exiftool's documentation of trailers.
 */
import { note } from '../../../../contract/src/notes/notes.ts';
import {
  readHeifItems,
  ifComplete,
  boxesIn,
  type TiffBytes,
} from '../../../../file-records/src/index.ts';
import { isFurtherView, multiPictureHead, readPictureIndex } from './multi-picture.ts';
import { payloadsOf, type JpegSegment } from './jpeg-segments.ts';

const filmNote = note('FILM_DROPPED');

/** What stands at the end of a JPEG, behind its picture. */
const tailBytes = 64;
const trailers: [isThere: (tail: string) => boolean, note: string][] = [
  [(tail) => tail.startsWith('CANON OPTIONAL DATA\0'), note('CANON_RECIPE_DROPPED')],
  [(tail) => tail.endsWith('cbipcbbl'), note('PHOTO_MECHANIC_DROPPED')],
  [(tail) => tail.endsWith('\u00a1\u00b2\u00c3\u00d4'), note('FOTOSTATION_DROPPED')],
  [(tail) => /AXS[!*]/.test(tail.slice(-12, -8)), note('AFCP_DROPPED')],
  // Huawei and Honor.
  [(tail) => /LIVE_\d+/.test(tail), filmNote],
];
const samsungEnd = 'SEFT';
/** Samsung's list of appended blocks, which stands before its end. */
const samsungListBytes = 64 * 1024;
const samsungNote = note('SAMSUNG_DROPPED');

function samsungParts(bytes: TiffBytes): string[] {
  const listBytes = bytes.read(bytes.size - 8, 4).readUInt32LE(0);
  if (listBytes > samsungListBytes) return [samsungNote];
  const listAt = Math.max(0, bytes.size - 8 - listBytes);
  const list = bytes.read(listAt, listBytes);
  // Version and number of blocks come first, then twelve bytes for each: type, distance from the list, length.
  const isFilm = Array.from({ length: Math.min(100, list.readUInt32LE(8)) }, (_, i) =>
    list.readUInt16LE(12 + 12 * i + 2),
  ).includes(samsungFilm);
  return [isFilm ? filmNote : samsungNote];
}

/** MotionPhoto_Data. */
const samsungFilm = 0x0a30;

export function otherPartsOfJpeg(bytes: TiffBytes, segments: readonly JpegSegment[]): string[] {
  const views = payloadsOf(segments, 0xe2, multiPictureHead)
    .flatMap((index) => readPictureIndex(index))
    .filter((picture) => isFurtherView(picture)).length;
  const tail = bytes.read(Math.max(0, bytes.size - tailBytes), tailBytes).toString('latin1');
  return [
    ...(views > 1 ? [note('FIRST_TAKEN', { pages: views })] : []),
    ...trailers.flatMap(([isThere, dropped]) => (isThere(tail) ? [dropped] : [])),
    ...(tail.endsWith(samsungEnd) ? (ifComplete(() => samsungParts(bytes)) ?? [samsungNote]) : []),
  ];
}

const depthTypes = ['urn:mpeg:hevc:2015:auxid:2', 'urn:mpeg:mpegB:cicp:systems:auxiliary:depth'];
const maxBoxes = 1000;

export function otherPartsOfHeif(bytes: TiffBytes): string[] {
  const items = ifComplete(() => readHeifItems(bytes));
  const hasDepth =
    items?.references.some(
      ({ type, from }) =>
        type === 'auxl' &&
        depthTypes.some((name) => items.property(from, 'auxC')?.includes(name, 4, 'latin1')),
    ) ?? false;
  // Samsung's box of a film.
  const hasFilm = boxesIn(bytes, 0, bytes.size, maxBoxes).some(({ type }) => type === 'mpvd');
  return [...(hasDepth ? [note('DEPTH_MAP_DROPPED')] : []), ...(hasFilm ? [filmNote] : [])];
}
