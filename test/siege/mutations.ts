/** Pictures that were damaged by chance, and those of the corpus that are: each ends, and harms nothing beside. */
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, readFile, readdir } from 'node:fs/promises';
import path from 'node:path';
import sharp from 'sharp';
import { taskErrorCodes } from '../../electron/contract/errors.ts';
import { untilEnded, type HeadlessService } from '../support/headless.ts';
import { endedOrCancelled } from './kills.ts';
import { corpusArchive } from '../support/shared.ts';
import { attempt, expectThat, type Row } from './table.ts';

/** As many as the service works on, and one that is ready then: waiting behind others is not what is timed. */
const together = 3;

/** @param count of pictures that are damaged; which ones, and how, follows from the seed alone */
export async function mutate(
  service: HeadlessService,
  count: number,
  seed: number,
  folder: string,
): Promise<Row[]> {
  const random = randomFrom(seed);
  const whole = await wholePictures();
  const damaged = Array.from({ length: count }, (_, i) => {
    const [format, bytes] = whole[i % whole.length] ?? ['', Buffer.alloc(0)];
    return [`${format} ${i}`, damage(bytes, random)] as const;
  });
  return [
    await sendAll(service, `${count} pictures damaged by chance (seed ${seed})`, damaged),
    await sendAll(service, 'the hostile pictures of the corpus', await ofCorpus(folder)),
  ];
}

async function sendAll(
  service: HeadlessService,
  attack: string,
  pictures: readonly (readonly [string, Buffer])[],
): Promise<Row> {
  const row: Row = {
    attack,
    outcome:
      'FINISHED or a stable code within 2 minutes, large ones CANCELLED when they are; service alive',
    attempts: 0,
    failures: [],
  };
  const counts = new Map<string, number>();
  const waiting = [...pictures];
  const send = async () => {
    for (let next = waiting.pop(); next; next = waiting.pop()) {
      const [name, bytes] = next;
      await attempt(row, name, async () => {
        const imageUrl = `data:;base64,${bytes.toString('base64')}`;
        const end = bytes.length === 0 ? await refusalOf(service) : await endOf(service, imageUrl);
        counts.set(end, (counts.get(end) ?? 0) + 1);
        const isStable = end === 'FINISHED' || taskErrorCodes.some((code) => code === end);
        const isRefused = end === 'INVALID_REQUEST' && bytes.length === 0;
        expectThat((isStable && end !== 'ENGINE_CRASHED') || isRefused, `ended in ${end}`);
      });
    }
  };
  await Promise.all(Array.from({ length: together }, send));
  row.figures = [...counts].map(([end, n]) => `${n} ${end}`).join(', ');
  if (pictures.length === 0) row.figures = 'left out: the corpus is not here';
  return row;
}

/** So many pixels of a result take the network minutes by right. */
const largePixels = 40e6;

/** FINISHED, or the code of its failure. What is large and nothing but that is worked on, and ends when it is cancelled. */
async function endOf(service: HeadlessService, imageUrl: string): Promise<string> {
  const taskId = await service.submit(imageUrl, { model: 'faithful', scale: 2 });
  const { status, error } = await ended(service, taskId);
  return error?.code ?? status;
}

async function ended(service: HeadlessService, taskId: string) {
  try {
    return await untilEnded(service, taskId, 20_000);
  } catch {
    const { estimate } = await service.record(taskId);
    const isLarge = (estimate?.width ?? 0) * (estimate?.height ?? 0) > largePixels;
    if (!isLarge) return endedOrCancelled(service, taskId, 100_000);
    await service.call('POST', `/api/task/${taskId}/cancel`);
    return untilEnded(service, taskId, 20_000);
  }
}

/** A file without a byte is refused before it is a task. */
async function refusalOf(service: HeadlessService): Promise<string> {
  const answer = await service.call('POST', '/api/image-upscaler', { imageUrl: 'data:;base64,' });
  return ((await answer.json()) as { code?: string }).code ?? `${answer.status}`;
}

/** Small ones of every format that can be written here, with colour profile, EXIF and XMP in them. */
async function wholePictures(): Promise<[string, Buffer][]> {
  const create = { width: 40, height: 30, channels: 4 as const, background: '#8408' };
  const noise = { type: 'gaussian' as const, mean: 120, sigma: 40 };
  const base = () =>
    sharp({ create: { ...create, noise } })
      .withMetadata({ exif: { IFD0: { Artist: 'Siege', ImageDescription: 'Small' } } })
      .withXmp('<x:xmpmeta xmlns:x="adobe:ns:meta/"><a b="c"/></x:xmpmeta>')
      .withIccProfile('p3');
  return [
    ['png', await base().png().toBuffer()],
    ['jpeg', await base().jpeg().toBuffer()],
    ['webp', await base().webp().toBuffer()],
    ['lossless webp', await base().webp({ lossless: true }).toBuffer()],
    ['tiff', await base().tiff({ compression: 'lzw' }).toBuffer()],
    ['gif', await base().gif().toBuffer()],
    ['avif', await base().avif({ effort: 0 }).toBuffer()],
    ['heic', asHeic(await base().avif({ effort: 0 }).toBuffer())],
    ['raw', asRaw(await base().tiff({ compression: 'none' }).toBuffer())],
  ];
}

/** An AVIF that says it is a HEIC, so that the other decoder is asked. */
function asHeic(avif: Buffer): Buffer {
  const made = Buffer.from(avif);
  made.write('heic', 8, 'latin1');
  return made;
}

/** A TIFF that says it is a camera's (a DNG version in its first tag's place), so that the raw decoder is asked. */
function asRaw(tiff: Buffer): Buffer {
  const made = Buffer.from(tiff);
  const isLittle = made.toString('latin1', 0, 2) === 'II';
  const at = isLittle ? made.readUInt32LE(4) : made.readUInt32BE(4);
  const entry = at + 2;
  const fields: [number, number, number][] = [
    [entry, 0xc612, 2],
    [entry + 2, 1, 2],
    [entry + 4, 4, 4],
    [entry + 8, 0x0104, 4],
  ];
  for (const [place, value, bytes] of fields)
    if (isLittle) made.writeUIntLE(value, place, bytes);
    else made.writeUIntBE(value, place, bytes);
  return made;
}

function damage(bytes: Buffer, random: () => number): Buffer {
  const made = Buffer.from(bytes);
  const below = (n: number) => Math.floor(random() * n);
  const times = 1 + below(8);
  for (let i = 0; i < times; i += 1) {
    // Heads are where the lengths are.
    const at = below(random() < 0.6 ? Math.min(made.length, 400) : made.length);
    const way = below(4);
    if (way === 0) made[at] = below(256);
    else if (way === 1) made[at] = (made[at] ?? 0) ^ (1 << below(8));
    else if (way === 2) made.fill(random() < 0.5 ? 0xff : 0, at, Math.min(at + 4, made.length));
    else made.copyWithin(at, below(made.length), below(made.length));
  }
  return random() < 0.15 ? made.subarray(0, 1 + below(made.length)) : made;
}

async function ofCorpus(folder: string): Promise<[string, Buffer][]> {
  if (!existsSync(corpusArchive)) return [];
  await mkdir(folder, { recursive: true });
  execFileSync('tar', ['-xf', corpusArchive, '-C', folder]);
  const names = await readdir(folder, { recursive: true, withFileTypes: true });
  const hostile = names.filter(
    (entry) => entry.isFile() && entry.parentPath.split(path.sep).includes('hostile'),
  );
  return Promise.all(
    hostile.map(async ({ name, parentPath }): Promise<[string, Buffer]> => [
      name,
      await readFile(path.join(parentPath, name)),
    ]),
  );
}

/** A linear congruential generator (Numerical Recipes), so that a run can be repeated. */
export function randomFrom(seed: number): () => number {
  let state = seed;
  return () => (state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0) / 2 ** 32;
}
