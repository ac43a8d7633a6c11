/** A JPEG with a MakerNote as Canon writes it: a directory whose offsets count from the EXIF's start. */
import { asSharp, photo } from './images.ts';

const owner = 'A person of some name';

export async function exifWithMakerNote(): Promise<Buffer> {
  const noteAt = 74;
  const textAt = noteAt + 2 + 12 + 4;
  const exif = Buffer.alloc(textAt + owner.length + 1);
  exif.write('II*\0', 'latin1');
  exif.writeUInt32LE(8, 4);
  const entry = (at: number, tag: number, type: number, count: number, value: number) => {
    exif.writeUInt16LE(tag, at);
    exif.writeUInt16LE(type, at + 2);
    exif.writeUInt32LE(count, at + 4);
    exif.writeUInt32LE(value, at + 8);
  };
  exif.writeUInt16LE(2, 8);
  entry(10, 0x010f, 2, 6, 56); // Make
  entry(22, 0x8769, 4, 1, 38); // EXIF directory
  exif.writeUInt16LE(1, 38);
  entry(40, 0x927c, 7, exif.length - noteAt, noteAt);
  exif.write('Canon\0', 56, 'latin1');
  exif.writeUInt16LE(1, noteAt);
  entry(noteAt + 2, 0x0009, 2, owner.length + 1, textAt); // OwnerName
  exif.write(owner, textAt, 'latin1');
  const jpeg = await asSharp(photo(60, 40)).jpeg().toBuffer();
  const payload = Buffer.concat([Buffer.from('Exif\0\0', 'latin1'), exif]);
  const head = Buffer.from([0xff, 0xe1, 0, 0]);
  head.writeUInt16BE(payload.length + 2, 2);
  return Buffer.concat([jpeg.subarray(0, 2), head, payload, jpeg.subarray(2)]);
}
