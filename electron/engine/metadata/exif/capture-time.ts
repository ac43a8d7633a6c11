/** When a photo was taken, by the clock of its camera. EXIF 2.32, 4.6.5 D. */
import { findEntry, textOf, type ExifModel } from './exif-model.ts';

const dateTimeOriginal = 0x9003;
const subsecTimeOriginal = 0x9291;

/** Such as 2024-05-03T12:11:10.25, without a zone: cameras seldom tell theirs. Undefined where it is not told. */
export function captureTimeOf({ photo, image }: ExifModel): string | undefined {
  // TIFF/EP writes it into the first directory.
  const entries = [...photo, ...image];
  const told = findEntry(entries, dateTimeOriginal);
  const [, date, time] = told === undefined ? [] : (dateAndTime.exec(textOf(told)) ?? []);
  if (date === undefined || time === undefined) return undefined;
  const fraction = findEntry(photo, subsecTimeOriginal);
  const digits = fraction === undefined ? '' : (/^\d{1,9}/.exec(textOf(fraction))?.[0] ?? '');
  return `${date.replaceAll(':', '-')}T${time}${digits === '' ? '' : `.${digits}`}`;
}

/** Cameras whose clock was never set write zeros or blanks. */
const dateAndTime = /^([12]\d{3}:[01]\d:[0-3]\d) ([0-2]\d:[0-5]\d:[0-6]\d)/;
