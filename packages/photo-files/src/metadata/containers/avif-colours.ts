/**
 * Declares the colours of an AVIF that libvips wrote: an `nclx` property of its primary item (ISO/IEC 14496-12,
 * 12.1.5, and 23008-12, 6.5.5 and 9.3). libvips writes none, which means sRGB.
 */
import { closeSync, openSync } from 'node:fs';
import type { CodePoints } from '../../colour/code-points.ts';
import {
  boxesIn,
  type Box,
  readHeifItems,
  bytesInMemory,
  withFileBytes,
} from '../../../../file-records/src/index.ts';
import { writeAll } from '../../../../files/src/write-all.ts';
import { insertBytes, type OnMoved } from './insert-bytes.ts';

const maxBoxes = 1000;
/** libheif's default, BT.601 in the full range. */
const matrix = 6;
const fullRange = 0x80;
/** The version and flags of `meta`, `iloc` and `ipma`. */
const versionBytes = 4;

/** @throws if the file is no AVIF of the layout that libvips writes */
export async function insertNclx(
  path: string,
  points: CodePoints,
  onMoved: OnMoved,
): Promise<void> {
  const { file, meta, primaryId } = withFileBytes(path, (bytes) => {
    const found = boxesIn(bytes, 0, bytes.size, maxBoxes).find(({ type }) => type === 'meta');
    const items = readHeifItems(bytes);
    if (!found || !items) throw new Error('The AVIF has no list of items');
    return { file: bytes.read(0, found.end), meta: found, primaryId: items.primaryId };
  });
  const edited = withNclx(file, meta, primaryId, points);
  await insertBytes(path, meta.end, Buffer.alloc(edited.length - file.length), onMoved);
  const fd = openSync(path, 'r+');
  try {
    writeAll(fd, edited, 0);
  } finally {
    closeSync(fd);
  }
}

/** @param file the bytes up to the end of `meta` */
function withNclx(file: Buffer, meta: Box, primaryId: number, points: CodePoints): Buffer {
  const inMemory = bytesInMemory(file);
  const inside = (box: Box, skip = 0) => boxesIn(inMemory, box.at + skip, box.end, maxBoxes);
  const named = (boxes: Box[], type: string) => {
    const box = boxes.find((one) => one.type === type);
    if (!box) throw new Error(`The AVIF has no box ${type}`);
    return box;
  };
  const parts = inside(meta, versionBytes);
  const iprp = named(parts, 'iprp');
  const [ipco, ipma] = [named(inside(iprp), 'ipco'), named(inside(iprp), 'ipma')];
  const properties = inside(ipco);
  const declared = properties.find(
    ({ type, at }) => type === 'colr' && file.toString('latin1', at, at + 4) === 'nclx',
  );
  if (declared) {
    const patched = Buffer.from(file);
    patched.writeUInt16BE(points.primaries, declared.at + 4);
    patched.writeUInt16BE(points.transfer, declared.at + 6);
    return patched;
  }
  const property = nclxBox(points);
  const use = associationOf(file, ipma, primaryId, properties.length + 1);
  const added = property.length + use.bytes.length;
  const edited = Buffer.from(file);
  for (const box of [meta, iprp]) growBox(edited, box, added);
  growBox(edited, ipco, property.length);
  growBox(edited, ipma, use.bytes.length);
  edited[use.countAt] = (edited[use.countAt] ?? 0) + 1;
  moveExtents(edited, named(parts, 'iloc'), added);
  const insertions = [
    { at: ipco.end, bytes: property },
    { at: use.at, bytes: use.bytes },
  ].sort((one, other) => one.at - other.at);
  const pieces: Buffer[] = [];
  let from = 0;
  for (const { at, bytes } of insertions) {
    pieces.push(edited.subarray(from, at), bytes);
    from = at;
  }
  return Buffer.concat([...pieces, edited.subarray(from)]);
}

function nclxBox({ primaries, transfer }: CodePoints): Buffer {
  const box = Buffer.alloc(19);
  box.writeUInt32BE(box.length, 0);
  box.write('colrnclx', 4, 'latin1');
  [primaries, transfer, matrix].forEach((value, i) => box.writeUInt16BE(value, 12 + 2 * i));
  box[18] = fullRange;
  return box;
}

function growBox(file: Buffer, { at }: Box, by: number): void {
  file.writeUInt32BE(file.readUInt32BE(at - 8) + by, at - 8);
}

/** Where an item's list of properties ends, and what is to be added there. */
function associationOf(file: Buffer, box: Box, id: number, property: number) {
  const version = file[box.at] ?? 0;
  const isWide = ((file[box.at + 3] ?? 0) & 1) === 1;
  const [idBytes, useBytes] = [version === 0 ? 2 : 4, isWide ? 2 : 1];
  const entries = file.readUInt32BE(box.at + versionBytes);
  let at = box.at + versionBytes + 4;
  for (let i = 0; i < entries && at < box.end; i += 1) {
    const isItem = file.readUIntBE(at, idBytes) === id;
    const countAt = at + idBytes;
    at = countAt + 1 + (file[countAt] ?? 0) * useBytes;
    if (!isItem) continue;
    const bytes = Buffer.alloc(useBytes);
    bytes.writeUIntBE(property, 0, useBytes);
    return { at, countAt, bytes };
  }
  throw new Error('The AVIF has no properties of its picture');
}

/** Adds to the offsets of all items in the file, which follow `meta`. */
function moveExtents(file: Buffer, box: Box, by: number): void {
  const version = file[box.at] ?? 0;
  const [sizes = 0, more = 0] = file.subarray(box.at + versionBytes, box.at + versionBytes + 2);
  const [offsetBytes, lengthBytes, baseBytes] = [sizes >> 4, sizes & 15, more >> 4];
  const indexBytes = version > 0 ? more & 15 : 0;
  if (offsetBytes !== 4 || (baseBytes !== 0 && baseBytes !== 4))
    throw new Error('The AVIF has offsets of another size');
  const idBytes = version < 2 ? 2 : 4;
  let at = box.at + versionBytes + 2;
  const items = file.readUIntBE(at, idBytes);
  at += idBytes;
  for (let i = 0; i < items; i += 1) {
    at += idBytes;
    const method = version > 0 ? file.readUInt16BE(at) & 15 : 0;
    at += (version > 0 ? 2 : 0) + 2;
    const base = baseBytes === 4 ? file.readUInt32BE(at) : 0;
    if (method === 0 && base > 0) file.writeUInt32BE(base + by, at);
    const extents = file.readUInt16BE(at + baseBytes);
    at += baseBytes + 2;
    for (let extent = 0; extent < extents; extent += 1) {
      at += indexBytes;
      if (method === 0 && base === 0) file.writeUInt32BE(file.readUInt32BE(at) + by, at);
      at += offsetBytes + lengthBytes;
    }
  }
}
