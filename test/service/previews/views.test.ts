/** Over the real engine. */
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { TileSet } from '../../../packages/contract/src/picture.ts';
import type { TaskList } from '../../../packages/contract/src/task.ts';
import { asSharp, photo } from '../../support/images.ts';
import {
  ended,
  openRealService,
  startRealService,
  type RealService,
} from '../../support/real-service.ts';
import type { TestService } from '../../support/service.ts';

const picture = () => asSharp(photo(700, 300)).jpeg({ quality: 95 }).toBuffer();

async function upload(service: TestService, bytes: Buffer): Promise<string> {
  const response = await service.call('POST', '/api/uploads?name=beach.jpg', bytes, {
    'content-type': 'application/octet-stream',
  });
  return (response.body as { imageUrl: string }).imageUrl;
}

async function read(url: string, headers: Record<string, string> = {}) {
  const response = await fetch(url, { headers });
  return { status: response.status, headers: response.headers, bytes: await response.bytes() };
}

async function sizeOf(bytes: Uint8Array) {
  const { width, height, format } = await sharp(bytes).metadata();
  return { width, height, format };
}

const tilesOf = async (service: TestService, taskId: string, side: string) =>
  (await service.call('GET', `/api/task/${taskId}/tiles/${side}`)).body as TileSet;

const tileUrl = ({ url }: TileSet, level: number, column: number, row: number) =>
  url
    .replace('{level}', String(level))
    .replace('{column}', String(column))
    .replace('{row}', String(row));

/** Its tasks wait. */
let paused: RealService;
beforeAll(async () => {
  paused = await startRealService();
  await paused.call('POST', '/api/queue/pause');
});
afterAll(() => paused.close());

describe('the thumbnail of a source', { timeout: 300_000 }, () => {
  it('is there while the task waits, for uploads and granted files, in the record and in the list', async () => {
    const service = paused;
    const file = path.join(service.folder, 'beach.jpg');
    await writeFile(file, await picture());
    const own = await service.submit(pathToFileURL(file).href);
    const sent = await service.submit(await upload(service, await picture()));
    const { sourceThumbUrl = '' } = await service.record(own);
    const thumb = await read(sourceThumbUrl);
    expect(thumb.headers.get('content-type')).toBe('image/webp');
    expect(await sizeOf(thumb.bytes)).toEqual({ width: 512, height: 219, format: 'webp' });
    const { tasks } = (await service.call('GET', '/api/tasks')).body as TaskList;
    const listed = tasks.find(({ taskId }) => taskId === sent)?.sourceThumbUrl ?? '';
    expect((await read(listed)).status).toBe(200);
    expect((await read(listed.replace(/signature=./, 'signature=x'))).status).toBe(403);
  });

  it('says why there is none', async () => {
    const service = paused;
    // Of a JPEG what is there would be shown.
    const whole = await asSharp(photo(700, 300)).webp().toBuffer();
    const taskId = await service.submit(await upload(service, whole.subarray(0, whole.length / 2)));
    const { sourceThumbUrl = '' } = await service.record(taskId);
    const { status, bytes } = await read(sourceThumbUrl);
    expect(status).toBe(404);
    expect(Buffer.from(bytes).toString()).toMatch(/first \d+ % of its bytes are there/);
  });
});

describe('tiles', { timeout: 300_000 }, () => {
  it('show source and result after the task is finished, and go with it', async () => {
    const service = await openRealService();
    const taskId = await service.submit(await upload(service, await picture()));
    await ended(service, taskId);
    const source = await tilesOf(service, taskId, 'source');
    expect(source).toMatchObject({ width: 700, height: 300, tileSize: 512, maxLevel: 10 });
    const result = await tilesOf(service, taskId, 'result');
    expect(result).toMatchObject({ width: 1400, height: 600, overlap: 0, format: 'jpeg' });
    const tile = await read(tileUrl(result, result.maxLevel, 2, 1));
    expect(await sizeOf(tile.bytes)).toEqual({ width: 376, height: 88, format: 'jpeg' });
    const etag = tile.headers.get('etag') ?? '';
    const again = await read(tileUrl(result, result.maxLevel, 2, 1), { 'if-none-match': etag });
    expect([again.status, again.bytes.length]).toEqual([304, 0]);
    expect(tile.headers.get('cache-control')).toMatch(/^private, max-age=8[56]\d{3}$/);
    expect((await read(tileUrl(result, result.maxLevel, 3, 1))).status).toBe(404);
    expect((await read(tileUrl(source, 0, 0, 0).replace('/source/', '/result/'))).status).toBe(403);
    const { sourceThumbUrl = '' } = await service.record(taskId);
    expect((await read(sourceThumbUrl)).status).toBe(200);
    await service.call('DELETE', `/api/task/${taskId}?now=true`);
    expect((await read(tileUrl(source, 0, 0, 0))).status).toBe(404);
  });

  it('of a source are there while the task waits, those of its result not', async () => {
    const service = paused;
    const taskId = await service.submit(await upload(service, await picture()));
    const { url, ...source } = await tilesOf(service, taskId, 'source');
    expect(source).toMatchObject({ width: 700, height: 300, format: 'jpeg' });
    expect((await read(tileUrl({ ...source, url }, 10, 1, 0))).status).toBe(200);
    const result = await service.call('GET', `/api/task/${taskId}/tiles/result`);
    expect(result.status).toBe(404);
    expect(result.text).toMatch(/PENDING/);
  });

  it('of a source that was given up are there while another task has the same upload', async () => {
    const service = paused;
    const imageUrl = await upload(service, await picture());
    const first = await service.submit(imageUrl);
    await service.submit(imageUrl);
    await service.call('POST', `/api/task/${first}/cancel`);
    const cancelled = await service.record(first);
    expect(cancelled.source.kept).toBe(true);
    expect((await read(cancelled.sourceThumbUrl ?? '')).status).toBe(200);
    expect(await tilesOf(service, first, 'source')).toMatchObject({ width: 700, height: 300 });
  });
});
