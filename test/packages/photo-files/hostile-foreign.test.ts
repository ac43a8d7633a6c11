/** Crafted or damaged HEIC and camera RAW is read or refused in time, and no process dies of it. */
import { afterAll, expect, it } from 'vitest';
import { EnlargerError } from '../../../packages/contract/src/errors.ts';
import { asHeic, damage, randomFrom } from '../../support/damaged.ts';
import { sharedTestEngine } from '../../support/engine.ts';
import { asSharp, photo } from '../../support/images.ts';
import { dngOf } from '../../support/made-files.ts';

const engine = sharedTestEngine();
afterAll(() => engine.close());

const limits = { sourcePixels: 1e8, resultPixels: 1e9 };
const refusals = ['UNREADABLE_IMAGE', 'IMAGE_TOO_LARGE'];

/**
 * `read`, or the code of a refusal. It throws when the process that inspected the file died or hung.
 */
async function lookAt(bytes: Uint8Array): Promise<string> {
  const path = await engine.saved(bytes);
  return engine.host.inspect(path, limits).then(
    () => 'read',
    (thrown: unknown) => {
      if (thrown instanceof EnlargerError) return thrown.code;
      throw thrown;
    },
  );
}

const box = (type: string, ...parts: Buffer[]) => {
  const inside = Buffer.concat(parts);
  const head = Buffer.alloc(8);
  head.writeUInt32BE(8 + inside.length);
  head.write(type, 4, 'latin1');
  return Buffer.concat([head, inside]);
};
const brand = box('ftyp', Buffer.from('heic\0\0\0\0mif1heic', 'latin1'));

/** Nests boxes in boxes, as deeply as 100 KB allow. */
function nested(type: string): Buffer {
  const heads = Array.from({ length: 12_000 }, (_, i) => {
    const head = Buffer.alloc(8);
    head.writeUInt32BE(8 * (12_000 - i));
    head.write(type, 4, 'latin1');
    return head;
  });
  return Buffer.concat(heads);
}

const crafted: [string, Buffer][] = [
  ['a brand alone', brand],
  [
    'a box that ends behind the file',
    Buffer.concat([brand, Buffer.from('7fffffff6d657461', 'hex')]),
  ],
  ['a box of no length, again and again', Buffer.concat([brand, Buffer.alloc(100_000)])],
  ['boxes in boxes', Buffer.concat([brand, nested('meta')])],
  ['containers in containers', Buffer.concat([brand, nested('iprp')])],
  [
    'four thousand million items',
    Buffer.concat([
      brand,
      box('meta', Buffer.alloc(4), box('iloc', Buffer.from('02000000444000ffffffff', 'hex'))),
    ]),
  ],
  [
    'many small boxes',
    Buffer.concat([brand, ...Array.from({ length: 12_000 }, () => box('free'))]),
  ],
];

it.each(crafted)(
  'a HEIC of %s is refused',
  async (_, bytes) => {
    expect(refusals).toContain(await lookAt(bytes));
  },
  60_000,
);

it('a HEIC damaged by chance harms nothing', async () => {
  const whole = asHeic(await asSharp(photo(40, 30)).avif({ effort: 0 }).toBuffer());
  const random = randomFrom(20);
  for (let i = 0; i < 25; i += 1)
    expect(['read', ...refusals]).toContain(await lookAt(damage(whole, random)));
}, 120_000);

it('a RAW damaged by chance harms nothing', async () => {
  const whole = dngOf(48, 32, 20_000);
  const random = randomFrom(20);
  const ends = new Set<string>();
  for (let i = 0; i < 15; i += 1) ends.add(await lookAt(damage(whole, random)));
  expect(['read', ...refusals]).toEqual(expect.arrayContaining([...ends]));
  expect(ends).toContain('read');
}, 120_000);

it('a RAW that says it is as large as numbers go is refused', async () => {
  for (const side of [65_535, 0x7fff_ffff, 0xffff_ffff]) {
    const file = Buffer.from(dngOf(48, 32, 20_000));
    for (let at = 8; at + 12 < file.length && at < 600; at += 2)
      if ([0x0100, 0x0101].includes(file.readUInt16LE(at)) && file.readUInt32LE(at + 4) === 1)
        file.writeUInt32LE(side, at + 8);
    expect(refusals).toContain(await lookAt(file));
  }
}, 60_000);
