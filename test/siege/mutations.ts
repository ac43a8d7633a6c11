/** Pictures that were damaged by chance, and those of the corpus that are: each ends, and harms nothing beside. */
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, readFile, readdir } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import sharp from 'sharp';
import { taskErrorCodes } from '../../packages/contract/src/errors.ts';
import type { HeadlessService } from '../support/headless.ts';
import { endedOrCancelled } from './kills.ts';
import { hangMs } from './service-cost.ts';
import { asHeic, damage, randomFrom } from '../support/damaged.ts';
import { dngOf } from '../support/made-files.ts';
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
  onEnd: (row: Row) => void,
): Promise<void> {
  const random = randomFrom(seed);
  const whole = await wholePictures();
  const damaged = Array.from({ length: count }, (_, i) => {
    const [format, bytes] = whole[i % whole.length] ?? ['', Buffer.alloc(0)];
    return [`${format} ${i}`, damage(bytes, random)] as const;
  });
  onEnd(await sendAll(service, `${count} pictures damaged by chance (seed ${seed})`, damaged));
  onEnd(await sendAll(service, 'the hostile pictures of the corpus', await ofCorpus(folder)));
}

async function sendAll(
  service: HeadlessService,
  attack: string,
  pictures: readonly (readonly [string, Buffer])[],
): Promise<Row> {
  const row: Row = {
    attack,
    outcome: 'FINISHED or a stable code, large ones CANCELLED when they are; service alive',
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

/** Pixels of a result that take the network minutes by right. */
const largePixels = 40e6;

/** FINISHED, or the code of its failure. What is large and nothing but that is worked on, and ends when it is cancelled. */
async function endOf(service: HeadlessService, imageUrl: string): Promise<string> {
  const taskId = await service.submit(imageUrl, { model: 'faithful', scale: 2 });
  const isLarge = await untilLargeOrEnded(service, taskId);
  if (isLarge) await service.call('POST', `/api/task/${taskId}/cancel`);
  const { status, error } = await endedOrCancelled(service, taskId);
  return error?.code ?? status;
}

/** How often a large one is seen at work until it is cancelled: five seconds or more. */
const looksAtLarge = 100;

/** Whether it is large and has been worked on for a while. */
async function untilLargeOrEnded(service: HeadlessService, taskId: string): Promise<boolean> {
  const ends = performance.now() + hangMs;
  let looks = 0;
  while (performance.now() < ends) {
    const { status, estimate } = await service.record(taskId);
    if (status === 'FINISHED' || status === 'FAILED') return false;
    const isLarge = (estimate?.width ?? 0) * (estimate?.height ?? 0) > largePixels;
    if (isLarge && status === 'PROCESSING') looks += 1;
    if (looks > looksAtLarge) return true;
    await wait(50);
  }
  return false;
}

/** A file without a byte is refused before it is a task. */
async function refusalOf(service: HeadlessService): Promise<string> {
  const response = await service.call('POST', '/api/image-upscaler', { imageUrl: 'data:;base64,' });
  return ((await response.json()) as { code?: string }).code ?? `${response.status}`;
}

/** Small ones of every format that can be written here, with colour profile, EXIF and XMP in them. */
async function wholePictures(): Promise<[string, Buffer][]> {
  const create = { width: 40, height: 30, channels: 4 as const, background: '#8408' };
  const noise = { type: 'gaussian' as const, mean: 120, sigma: 40 };
  const base = () =>
    sharp({ create: { ...create, noise } })
      .withExif({ IFD0: { Artist: 'Siege', ImageDescription: 'Small' } })
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
    ['raw', dngOf(48, 32, 20_000)],
  ];
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
