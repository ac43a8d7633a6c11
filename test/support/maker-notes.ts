/** JPEGs with a MakerNote in the layout of a camera's maker, of three entries whose values are known. */
import { asSharp, photo } from './images.ts';

export interface Maker {
  make: string;
  model: string;
  /** Bytes of the note before its directory. */
  prefix: string;
  order: 'II' | 'MM';
  /** Where its offsets count from: the EXIF's TIFF header, or so many bytes into the note. */
  base: 'header' | number;
}

const own = (order: 'II' | 'MM') => (order === 'II' ? 'II*\0\x08\0\0\0' : 'MM\0*\0\0\0\x08');
const row = (
  make: string,
  model: string,
  prefix: string,
  order: 'II' | 'MM',
  base: Maker['base'],
): Maker => ({ make, model, prefix, order, base });

/** Layouts as ExifTool's MakerNotes.pm lists them. */
export const makers: readonly Maker[] = [
  row('Apple', 'iPhone 15 Pro', 'Apple iOS\0\0\x01MM', 'MM', 0),
  row('Canon', 'EOS R5', '', 'II', 'header'),
  row('CASIO', 'QV-3000EX', '', 'MM', 'header'),
  row('CASIO COMPUTER CO.,LTD.', 'EX-Z750', 'QVC\0\0\0', 'MM', 'header'),
  row('DJI', 'FC6310', '', 'II', 'header'),
  row('EASTMAN KODAK COMPANY', 'KODAK EASYSHARE Z981', '', 'MM', 'header'),
  row('SEIKO EPSON CORP.', 'R-D1', 'EPSON\0\x01\0', 'II', 'header'),
  row('FLIR Systems', 'FLIR E60', '', 'II', 'header'),
  row('FUJIFILM', 'X-T5', 'FUJIFILM\x0c\0\0\0', 'II', 0),
  row('General Imaging Co.', 'E1255W', 'GE\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0', 'II', 'header'),
  row('Google', 'Pixel 8 Pro', '', 'II', 'header'),
  row('Hasselblad', 'L1D-20c', '', 'II', 'header'),
  row('HUAWEI', 'P60 Pro', '', 'MM', 'header'),
  row('JVC', 'GC-S5', 'JVC ', 'MM', 'header'),
  row('KYOCERA', 'Finecam SL300R', 'KYOCERA            \0\0\0', 'MM', 24),
  row('Konica Minolta', 'DYNAX 7D', '', 'MM', 'header'),
  row('LEICA', 'V-LUX 1', 'LEICA\0\0\0', 'II', 'header'),
  row('Leica Camera AG', 'M9', 'LEICA0\x03\0', 'II', 0),
  row('LEICA CAMERA AG', 'LEICA Q2', 'LEICA\0\x08\0', 'II', 'header'),
  row('LEICA CAMERA AG', 'D-Lux 7', 'LEICA CAMERA AG\0II', 'II', 'header'),
  row('LG Electronics', 'LM-V405', '', 'MM', 'header'),
  row('Minolta Co., Ltd.', 'DiMAGE 7', '', 'MM', 'header'),
  row('Motorola', 'XT1575', 'MOT\0\x01\x01\0\0', 'II', 0),
  row('NIKON', 'E950', 'Nikon\0\x01\0', 'II', 'header'),
  row('NIKON CORPORATION', 'NIKON Z 8', `Nikon\0\x02\x11\0\0${own('II')}`, 'II', 10),
  row('OLYMPUS OPTICAL CO.,LTD', 'C3040Z', 'OLYMP\0\x01\0', 'II', 'header'),
  row('OLYMPUS CORPORATION', 'E-M1MarkIII', 'OLYMPUS\0II\x03\0', 'II', 0),
  row('OM Digital Solutions', 'OM-1', 'OM SYSTEM\0\0\0II\x04\0', 'II', 0),
  row('Panasonic', 'DC-S5M2', 'Panasonic\0\0\0', 'II', 'header'),
  row('Asahi Optical Co.,Ltd', 'PENTAX *ist D', 'AOC\0MM', 'MM', 'header'),
  row('PENTAX', 'PENTAX K-3', 'PENTAX \0MM', 'MM', 0),
  row('RICOH IMAGING COMPANY, LTD.', 'GR III', 'RICOH\0II', 'II', 0),
  row('RICOH', 'Caplio R7', 'RICOH\0\0\0', 'II', 'header'),
  row('SAMSUNG', 'NX500', '', 'II', 'header'),
  row('SANYO Electric Co.,Ltd.', 'SX112', 'SANYO\0\x01\0', 'II', 'header'),
  row('SIGMA', 'SIGMA fp', 'SIGMA\0\0\0\x01\0', 'II', 'header'),
  row('SONY', 'ILCE-7M4', 'SONY DSC \0\0\0', 'II', 'header'),
  row('Xiaomi', '13 Ultra', '', 'MM', 'header'),
];

export const textOfNote = 'Serial 0123456789 of a body';
export const countOfNote = 4711;
export const ratioOfNote: readonly [number, number] = [271, 100];

/** Number writers of either byte order, 2 and 4 bytes. */
function writersOf(buffer: Buffer, order: 'II' | 'MM') {
  return order === 'II'
    ? {
        short: (value: number, at: number) => buffer.writeUInt16LE(value, at),
        long: (value: number, at: number) => buffer.writeUInt32LE(value, at),
      }
    : {
        short: (value: number, at: number) => buffer.writeUInt16BE(value, at),
        long: (value: number, at: number) => buffer.writeUInt32BE(value, at),
      };
}

const firstTag = 0x7e01;
const entries = 3;
const directoryBytes = 2 + 12 * entries + 4;

/** @param noteAt offset of the note from the TIFF header */
function noteOf({ prefix, order, base }: Maker, noteAt: number): Buffer {
  const text = Buffer.from(`${textOfNote}\0`, 'latin1');
  const start = prefix.length;
  const textAt = start + directoryBytes;
  const ratioAt = textAt + text.length;
  const note = Buffer.alloc(ratioAt + 8);
  note.write(prefix, 'latin1');
  const { short, long } = writersOf(note, order);
  const offsetOf = (at: number) => (base === 'header' ? noteAt + at : at - base);
  const entry = (i: number, type: number, count: number, value: number) => {
    const at = start + 2 + 12 * i;
    short(firstTag + i, at);
    short(type, at + 2);
    long(count, at + 4);
    long(value, at + 8);
  };
  short(entries, start);
  entry(0, 2, text.length, offsetOf(textAt));
  entry(1, 4, 1, countOfNote);
  entry(2, 5, 1, offsetOf(ratioAt));
  text.copy(note, textAt);
  long(ratioOfNote[0], ratioAt);
  long(ratioOfNote[1], ratioAt + 4);
  return note;
}

/** The values as a program reads them that knows the maker's layout. */
export function valuesOfNote({ prefix, order, base }: Maker, exif: Buffer, noteAt: number) {
  const from = base === 'header' ? 0 : noteAt + base;
  const read = {
    short: (at: number) => (order === 'II' ? exif.readUInt16LE(at) : exif.readUInt16BE(at)),
    long: (at: number) => (order === 'II' ? exif.readUInt32LE(at) : exif.readUInt32BE(at)),
  };
  const entryAt = (i: number) => noteAt + prefix.length + 2 + 12 * i;
  const textAt = from + read.long(entryAt(0) + 8);
  const ratioAt = from + read.long(entryAt(2) + 8);
  return {
    text: exif.toString('latin1', textAt, textAt + read.long(entryAt(0) + 4) - 1),
    count: read.long(entryAt(1) + 8),
    ratio: [read.long(ratioAt), read.long(ratioAt + 4)],
  };
}

/** A JPEG turned to the side whose EXIF names make and model, and ends with the note. */
export async function photoOfMaker(maker: Maker): Promise<Buffer> {
  const { order, make, model } = maker;
  const [makeText, modelText] = [`${make}\0`, `${model}\0`];
  const imageAt = 8;
  const exifAt = imageAt + 2 + 12 * 4 + 4;
  const makeAt = exifAt + 2 + 12 + 4;
  const modelAt = makeAt + makeText.length;
  const noteAt = modelAt + modelText.length + ((modelAt + modelText.length) % 2);
  const note = noteOf(maker, noteAt);
  const exif = Buffer.alloc(noteAt + note.length);
  exif.write(own(order), 'latin1');
  const { short, long } = writersOf(exif, order);
  const entry = (at: number, tag: number, type: number, count: number, value: number) => {
    short(tag, at);
    short(type, at + 2);
    long(count, at + 4);
    if (type === 3) short(value, at + 8);
    else long(value, at + 8);
  };
  short(4, imageAt);
  entry(imageAt + 2, 0x010f, 2, makeText.length, makeAt);
  entry(imageAt + 14, 0x0110, 2, modelText.length, modelAt);
  entry(imageAt + 26, 0x0112, 3, 1, 6);
  entry(imageAt + 38, 0x8769, 4, 1, exifAt);
  short(1, exifAt);
  entry(exifAt + 2, 0x927c, 7, note.length, noteAt);
  // Texts of four bytes stand in the entry itself.
  exif.write(makeText, makeText.length > 4 ? makeAt : imageAt + 10, 'latin1');
  exif.write(modelText, modelText.length > 4 ? modelAt : imageAt + 22, 'latin1');
  note.copy(exif, noteAt);
  const jpeg = await asSharp(photo(60, 40)).jpeg({ quality: 95 }).toBuffer();
  const payload = Buffer.concat([Buffer.from('Exif\0\0', 'latin1'), exif]);
  const head = Buffer.from([0xff, 0xe1, 0, 0]);
  head.writeUInt16BE(payload.length + 2, 2);
  return Buffer.concat([jpeg.subarray(0, 2), head, payload, jpeg.subarray(2)]);
}
