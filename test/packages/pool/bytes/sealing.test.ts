import { randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { describe, expect, test } from 'vitest';
import { createOpening, createSealing } from '../../../../packages/pool/src/bytes/sealing.ts';

const key = randomBytes(32);
const chunkBytes = 64 * 1024;
const headBytes = 40;
const sealedChunkBytes = chunkBytes + 16;

const seal = (plain: Buffer, name = 'a/source', by = key) =>
  buffer(Readable.from([plain]).pipe(createSealing(by, name)));

/** In pieces of a size of their own, as a network brings them. */
function open(sealed: Buffer, name = 'a/source', by = key, pieceBytes = 10_007): Promise<Buffer> {
  const pieces = [];
  for (let at = 0; at < sealed.length; at += pieceBytes)
    pieces.push(sealed.subarray(at, at + pieceBytes));
  const opening = createOpening(by, name);
  Readable.from(pieces).pipe(opening);
  return buffer(opening);
}

const refusal = expect.objectContaining({ code: 'SOURCE_REFUSED' }) as unknown;

describe('sealed files', () => {
  test.each([0, 1, chunkBytes - 1, chunkBytes, chunkBytes + 1, 3 * chunkBytes, 200_000])(
    'of %i bytes open to the same bytes',
    async (size) => {
      const plain = randomBytes(size);
      const sealed = await seal(plain);
      expect(sealed.length).toBe(headBytes + size + 16 * Math.max(1, Math.ceil(size / chunkBytes)));
      expect((await open(sealed)).equals(plain)).toBe(true);
      expect((await open(sealed, 'a/source', key, 1 << 20)).equals(plain)).toBe(true);
    },
  );

  test('show nothing of their contents and differ each time', async () => {
    const plain = Buffer.from('a picture '.repeat(1000));
    const [one, other] = [await seal(plain), await seal(plain)];
    expect(one.includes('a picture ')).toBe(false);
    expect(one.equals(other)).toBe(false);
  });

  test('do not open with another key, under another name, or when they are none', async () => {
    const sealed = await seal(randomBytes(1000));
    await expect(open(sealed, 'a/source', randomBytes(32))).rejects.toEqual(refusal);
    await expect(open(sealed, 'b/source')).rejects.toEqual(refusal);
    await expect(open(randomBytes(1000))).rejects.toEqual(refusal);
    await expect(open(Buffer.alloc(0))).rejects.toEqual(refusal);
  });

  test('do not open when one bit is another', async () => {
    const sealed = await seal(randomBytes(100_000));
    for (const at of [8, headBytes, headBytes + chunkBytes, sealed.length - 1]) {
      const changed = Buffer.from(sealed);
      changed[at]! ^= 1;
      await expect(open(changed)).rejects.toEqual(refusal);
    }
  });

  test('do not open when they were cut off, also between two chunks', async () => {
    const sealed = await seal(randomBytes(3 * chunkBytes));
    for (const end of [headBytes, headBytes + sealedChunkBytes, headBytes + 2 * sealedChunkBytes])
      await expect(open(sealed.subarray(0, end))).rejects.toEqual(refusal);
    await expect(open(sealed.subarray(0, -1))).rejects.toEqual(refusal);
  });

  test('do not open when chunks change places or come twice', async () => {
    const sealed = await seal(randomBytes(3 * chunkBytes));
    const chunk = (i: number) =>
      sealed.subarray(headBytes + i * sealedChunkBytes, headBytes + (i + 1) * sealedChunkBytes);
    const head = sealed.subarray(0, headBytes);
    for (const order of [
      [1, 0, 2],
      [0, 0, 1, 2],
      [0, 2],
    ])
      await expect(open(Buffer.concat([head, ...order.map(chunk)]))).rejects.toEqual(refusal);
  });
});
