import { appendFile, chmod, mkdir, rename, rm, utimes, writeFile } from 'node:fs/promises';
import { realpathSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { Preset } from '../../../packages/contract/src/settings/preset.ts';
import type { TaskList, TaskRecord } from '../../../packages/contract/src/task.ts';
import type { Watch, WatchList } from '../../../packages/contract/src/settings/watch.ts';
import { asSharp, photo } from '../../support/images.ts';
import { openService, type TestService, type TestServiceOptions } from '../../support/service.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const watchTimes = { quietMs: 60, checkEveryMs: 60, listEveryMs: 600_000 };
const poll = { timeout: 15_000 };

interface Place {
  root: string;
  inbox: string;
  out: string;
}

async function makePlace(): Promise<Place> {
  const root = realpathSync(temporaryFolder());
  const [inbox, out] = [path.join(root, 'inbox'), path.join(root, 'out')];
  for (const folder of [inbox, out]) await mkdir(folder);
  return { root, inbox, out };
}

async function open(place: Place, options: TestServiceOptions = {}): Promise<TestService> {
  return openService({
    dataDir: path.join(place.root, 'data'),
    allowFolders: [place.inbox, place.out],
    watchTimes,
    ...options,
  });
}

async function preset(service: TestService): Promise<string> {
  const body = { name: 'Web', operation: 'upscale', options: { scale: 4, format: 'webp' } };
  return ((await service.call('POST', '/api/presets', body)).body as Preset).id;
}

async function watch(service: TestService, place: Place, more: object = {}): Promise<Watch> {
  const body = { folder: place.inbox, saveTo: place.out, presetId: await preset(service), ...more };
  const response = await service.call('POST', '/api/watches', body);
  expect(response).toMatchObject({ status: 200 });
  return response.body as Watch;
}

const watches = async (service: TestService) =>
  ((await service.call('GET', '/api/watches')).body as WatchList).watches;
const tasksOf = async (service: TestService): Promise<TaskRecord[]> =>
  ((await service.call('GET', '/api/tasks?limit=500')).body as TaskList).tasks;
const counts = async (service: TestService) => (await watches(service))[0]?.counts;
const state = async (service: TestService) => (await watches(service))[0]?.state;

describe('a watched folder', () => {
  it('has what is there and what arrives processed with its preset, in the same subfolders', async () => {
    const place = await makePlace();
    await writeFile(path.join(place.inbox, 'there.jpg'), 'a picture');
    const service = await open(place);
    expect(await watch(service, place)).toMatchObject({
      recursive: true,
      enabled: true,
      state: 'watching',
    });
    await expect.poll(() => counts(service), poll).toMatchObject({ finished: 1 });
    await mkdir(path.join(place.inbox, 'day', 'one'), { recursive: true });
    await writeFile(path.join(place.inbox, 'day', 'one', 'new.jpg'), 'a picture');
    for (const other of ['notes.txt', '.hidden.jpg'])
      await writeFile(path.join(place.inbox, other), 'no picture');
    const done = { seen: 2, finished: 2, failed: 0, cancelled: 0 };
    await expect.poll(() => counts(service), poll).toEqual(done);
    const [newest] = await tasksOf(service);
    expect(newest).toMatchObject({
      source: { kind: 'file', name: 'new.jpg' },
      options: { scale: 4, format: 'webp', formatChosen: true },
      savedTo: path.join(place.out, 'day', 'one', 'new-4x.jpg'),
    });
  });

  it('is named by its tasks, also by a next version of a photo', async () => {
    const place = await makePlace();
    await writeFile(path.join(place.inbox, 'there.jpg'), 'a picture');
    const service = await open(place);
    const { id } = await watch(service, place);
    await expect.poll(() => counts(service), poll).toMatchObject({ finished: 1 });
    const [first] = await tasksOf(service);
    await service.call('POST', `/api/task/${first?.taskId}/again`, { options: { scale: 2 } });
    const sources = (await tasksOf(service)).map(({ source }) => source);
    expect(sources).toMatchObject([{ watchId: id }, { watchId: id }]);
  });

  it('does nothing twice, also after a restart, and a changed file again', async () => {
    const place = await makePlace();
    const photo = path.join(place.inbox, 'a.jpg');
    await writeFile(photo, 'a picture');
    const first = await open(place);
    await watch(first, place);
    await expect.poll(() => counts(first), poll).toMatchObject({ finished: 1 });
    await first.close();
    await writeFile(path.join(place.inbox, 'b.jpg'), 'came while it was off');
    const second = await open(place);
    await expect.poll(() => counts(second), poll).toMatchObject({ seen: 2, finished: 2 });
    await wait(300);
    expect(await tasksOf(second)).toHaveLength(2);
    await writeFile(photo, 'the picture, edited');
    await expect.poll(async () => (await tasksOf(second)).length, poll).toBe(3);
    expect(await counts(second)).toMatchObject({ seen: 2 });
  });

  it('waits for a file that still grows', async () => {
    const place = await makePlace();
    const service = await open(place, { watchTimes: { ...watchTimes, quietMs: 4000 } });
    await watch(service, place);
    const photo = path.join(place.inbox, 'slow.jpg');
    await writeFile(photo, '');
    for (let i = 0; i < 10; i++) {
      await appendFile(photo, 'a part of the picture');
      await wait(150);
      expect(await tasksOf(service)).toEqual([]);
    }
    await expect.poll(() => counts(service), poll).toMatchObject({ finished: 1 });
    expect(await tasksOf(service)).toHaveLength(1);
  });

  it.each(['jpeg', 'png', 'tiff'] as const)(
    'waits for the rest of a %s whose copying pauses',
    async (format) => {
      const place = await makePlace();
      const service = await open(place);
      await watch(service, place);
      const whole = await asSharp(photo(64, 48)).toFormat(format).toBuffer();
      const slow = path.join(place.inbox, `slow.${format}`);
      await writeFile(slow, whole.subarray(0, whole.length / 2));
      // Others that came later are done, each after it was quiet as long as the half one.
      for (const finished of [1, 2, 3]) {
        await writeFile(path.join(place.inbox, `${finished}.jpg`), 'a picture');
        await expect.poll(() => counts(service), poll).toMatchObject({ seen: finished, finished });
      }
      const names = async () => (await tasksOf(service)).map(({ source }) => source.name);
      expect(await names()).not.toContain(`slow.${format}`);
      await appendFile(slow, whole.subarray(whole.length / 2));
      await expect.poll(() => counts(service), poll).toMatchObject({ seen: 4, finished: 4 });
      expect((await names()).toSorted()).toEqual(['1.jpg', '2.jpg', '3.jpg', `slow.${format}`]);
    },
  );

  it('takes a file that never gets its end at last, so that its task says so', async () => {
    const place = await makePlace();
    const service = await open(place, { watchTimes: { ...watchTimes, patienceMs: 300 } });
    await watch(service, place);
    const whole = await asSharp(photo(64, 48)).jpeg().toBuffer();
    await writeFile(path.join(place.inbox, 'half.jpg'), whole.subarray(0, whole.length / 2));
    await expect.poll(() => counts(service), poll).toMatchObject({ seen: 1 });
  });

  it('takes what arrives right after it was made, however it treats what was there', async () => {
    const place = await makePlace();
    const service = await open(place);
    await watch(service, place, { existing: false });
    await writeFile(path.join(place.inbox, 'new.jpg'), 'a picture');
    await expect.poll(() => counts(service), poll).toMatchObject({ seen: 1, finished: 1 });
  });

  it('takes what arrived while it was off, from the moment it was made', async () => {
    const place = await makePlace();
    await writeFile(path.join(place.inbox, 'old.jpg'), 'a picture');
    const service = await open(place);
    const { id } = await watch(service, place, { existing: false, enabled: false });
    await writeFile(path.join(place.inbox, 'new.jpg'), 'a picture');
    await service.call('PATCH', `/api/watches/${id}`, { enabled: true });
    await expect.poll(() => counts(service), poll).toMatchObject({ seen: 1, finished: 1 });
    expect((await tasksOf(service)).map(({ source }) => source.name)).toEqual(['new.jpg']);
  });

  it('leaves out what was there when it is asked to, for ever', async () => {
    const place = await makePlace();
    await writeFile(path.join(place.inbox, 'old.jpg'), 'a picture');
    const first = await open(place);
    await watch(first, place, { existing: false });
    await wait(300);
    await first.close();
    const second = await open(place);
    await writeFile(path.join(place.inbox, 'new.jpg'), 'a picture');
    await expect
      .poll(() => counts(second), poll)
      .toEqual({ seen: 1, finished: 1, failed: 0, cancelled: 0 });
    expect((await tasksOf(second)).map(({ source }) => source.name)).toEqual(['new.jpg']);
  });

  // The administrator may read every folder.
  it.skipIf(process.getuid?.() === 0)('leaves out a subfolder that nobody may read', async () => {
    const place = await makePlace();
    const unreadable = path.join(place.inbox, 'lost+found');
    await mkdir(unreadable, { mode: 0o000 });
    onTestFinished(() => chmod(unreadable, 0o700));
    await writeFile(path.join(place.inbox, 'there.jpg'), 'a picture');
    const service = await open(place);
    expect(await watch(service, place)).toMatchObject({ state: 'watching' });
    await expect.poll(() => counts(service), poll).toMatchObject({ seen: 1, finished: 1 });
  });

  it('never takes its own results, where they lie inside it', async () => {
    const place = await makePlace();
    const inside = path.join(place.inbox, 'enlarged');
    await mkdir(inside);
    const service = await open(place);
    await watch(service, place, { saveTo: inside });
    await writeFile(path.join(place.inbox, 'a.jpg'), 'a picture');
    await expect.poll(() => counts(service), poll).toMatchObject({ finished: 1 });
    await wait(300);
    expect(await tasksOf(service)).toHaveLength(1);
  });

  it('never takes a result that was saved beside its photo, also once its task is forgotten', async () => {
    const place = await makePlace();
    const first = await open(place);
    await watch(first, place);
    const a = path.join(place.inbox, 'a.jpg');
    await writeFile(a, 'a picture');
    await expect.poll(() => counts(first), poll).toMatchObject({ finished: 1 });
    const again = { imageUrl: pathToFileURL(a).href, saveTo: place.inbox };
    const { taskId } = (await first.call('POST', '/api/image-upscaler', again)).body as TaskRecord;
    const savedTo = async () =>
      (await tasksOf(first)).find((task) => task.taskId === taskId)?.savedTo;
    await expect.poll(savedTo, poll).toBe(path.join(place.inbox, 'a-2x.jpg'));
    // Is seen after the result, and is no result of a photo of the folder.
    await writeFile(path.join(place.inbox, 'b-2x.jpg'), 'a picture');
    await expect.poll(() => counts(first), poll).toMatchObject({ seen: 2, finished: 2 });
    await first.call('DELETE', `/api/task/${taskId}?now=true`);
    await first.close();
    const second = await open(place);
    await writeFile(path.join(place.inbox, 'c.jpg'), 'a picture');
    await expect.poll(() => counts(second), poll).toMatchObject({ seen: 3, finished: 3 });
    const names = (await tasksOf(second)).map(({ source }) => source.name);
    expect(names).toEqual(['c.jpg', 'b-2x.jpg', 'a.jpg']);
  });

  it('takes the results of another one, which lie beside the photos of both', async () => {
    const place = await makePlace();
    const between = path.join(place.inbox, 'between');
    await mkdir(between);
    const service = await open(place);
    await watch(service, place, { saveTo: between });
    await writeFile(path.join(place.inbox, 'a.jpg'), 'a picture');
    await expect.poll(() => counts(service), poll).toMatchObject({ finished: 1 });
    const [{ presetId } = { presetId: '' }] = await watches(service);
    const body = { folder: place.inbox, saveTo: place.out, presetId };
    await service.call('POST', '/api/watches', body);
    const countsOfBoth = async () => (await watches(service)).map(({ counts }) => counts.finished);
    await expect.poll(countsOfBoth, poll).toEqual([1, 2]);
  });

  it('is unavailable while it is away, and goes on when it is back', async () => {
    const place = await makePlace();
    const service = await open(place);
    await watch(service, place);
    const away = path.join(place.root, 'away');
    await rename(place.inbox, away);
    await expect.poll(() => state(service), poll).toBe('unavailable');
    expect((await watches(service))[0]?.message).toContain(place.inbox);
    await writeFile(path.join(away, 'a.jpg'), 'a picture');
    await rename(away, place.inbox);
    await expect.poll(() => counts(service), poll).toMatchObject({ finished: 1 });
    await expect.poll(() => state(service), poll).toBe('watching');
    expect((await watches(service))[0]).not.toHaveProperty('message');
  });

  it('can be switched off and on, and removed, and keeps its preset from being deleted', async () => {
    const place = await makePlace();
    const service = await open(place);
    const { id, presetId } = await watch(service, place, { enabled: false });
    expect(await state(service)).toBe('paused');
    await writeFile(path.join(place.inbox, 'a.jpg'), 'a picture');
    await wait(300);
    expect(await tasksOf(service)).toEqual([]);
    await service.call('PATCH', `/api/watches/${id}`, { enabled: true });
    await expect.poll(() => counts(service), poll).toMatchObject({ finished: 1 });
    const kept = await service.call('DELETE', `/api/presets/${presetId}`);
    expect(kept).toMatchObject({ status: 409, body: { code: 'CONFLICT' } });
    expect((await service.call('DELETE', `/api/watches/${id}`)).status).toBe(204);
    expect(await watches(service)).toEqual([]);
    expect((await service.call('DELETE', `/api/presets/${presetId}`)).status).toBe(204);
    expect((await service.call('DELETE', `/api/watches/${id}`)).body).toMatchObject({
      code: 'NOT_FOUND',
    });
    expect(await tasksOf(service)).toHaveLength(1);
  });

  it('that is not recursive leaves subfolders alone', async () => {
    const place = await makePlace();
    const service = await open(place);
    await watch(service, place, { recursive: false });
    await mkdir(path.join(place.inbox, 'deep'));
    await writeFile(path.join(place.inbox, 'deep', 'a.jpg'), 'a picture');
    await writeFile(path.join(place.inbox, 'b.jpg'), 'a picture');
    await expect.poll(() => counts(service), poll).toMatchObject({ finished: 1 });
    await wait(300);
    expect(await tasksOf(service)).toHaveLength(1);
  });

  it('may have folders that only it and its tasks may read and write', async () => {
    const place = await makePlace();
    await writeFile(path.join(place.inbox, 'a.jpg'), 'a picture');
    const service = await open(place, { allowFolders: [] });
    const body = { folder: place.inbox, saveTo: place.out, presetId: await preset(service) };
    const grants = [place.inbox, place.out];
    const { key } = (await service.call('POST', '/api/keys', { name: 'A program' })).body as {
      key: string;
    };
    const other = { authorization: `KEY ${key}` };
    const refused = await service.call('POST', '/api/watches', { ...body, grants }, other);
    expect(refused.body).toMatchObject({ code: 'FORBIDDEN_KEY' });
    expect((await service.call('POST', '/api/watches', body)).body).toMatchObject({
      code: 'FORBIDDEN_PATH',
    });
    const made = await service.call('POST', '/api/watches', { ...body, grants });
    const { id } = made.body as Watch;
    await expect.poll(() => counts(service), poll).toMatchObject({ finished: 1 });
    const [task] = await tasksOf(service);
    expect(task?.savedTo).toBe(path.join(place.out, 'a-4x.jpg'));
    const change = (patch: object, headers?: Record<string, string>) =>
      service.call('PATCH', `/api/watches/${id}`, patch, headers);
    const inside = path.join(place.inbox, 'made');
    await mkdir(inside);
    // What was granted for reading is no place that another key may have written to.
    expect((await change({ saveTo: inside }, other)).body).toMatchObject({
      code: 'FORBIDDEN_PATH',
    });
    expect((await change({ grants: [place.root] }, other)).body).toMatchObject({
      code: 'FORBIDDEN_KEY',
    });
    expect((await change({ saveTo: inside, grants })).body).toMatchObject({ saveTo: inside });
    expect((await change({ recursive: false }, other)).body).toMatchObject({ recursive: false });
    const submit = { imageUrl: pathToFileURL(path.join(place.inbox, 'a.jpg')).href };
    expect((await service.call('POST', '/api/image-upscaler', submit)).body).toMatchObject({
      code: 'FORBIDDEN_PATH',
    });
  });

  it('counts what failed', async () => {
    const place = await makePlace();
    const script = () => ({ do: 'fail', code: 'UNREADABLE_IMAGE' }) as const;
    const service = await open(place, { script });
    await watch(service, place);
    const photo = path.join(place.inbox, 'a.jpg');
    await writeFile(photo, 'a picture');
    await utimes(photo, new Date(0), new Date(0));
    const failed = { seen: 1, finished: 0, failed: 1, cancelled: 0 };
    await expect.poll(() => counts(service), poll).toEqual(failed);
  });

  it('counts what was cancelled apart, until it is tried again', async () => {
    const place = await makePlace();
    const service = await open(place);
    await service.call('POST', '/api/queue/pause');
    await watch(service, place);
    await writeFile(path.join(place.inbox, 'a.jpg'), 'a picture');
    await expect.poll(() => counts(service), poll).toMatchObject({ seen: 1 });
    const [task] = await tasksOf(service);
    await service.call('POST', `/api/task/${task?.taskId}/cancel`);
    expect(await counts(service)).toEqual({ seen: 1, finished: 0, failed: 0, cancelled: 1 });
    await service.call('POST', `/api/task/${task?.taskId}/retry`);
    expect(await counts(service)).toEqual({ seen: 1, finished: 0, failed: 0, cancelled: 0 });
  });

  it('is refused where it cannot be', async () => {
    const place = await makePlace();
    const service = await open(place);
    const presetId = await preset(service);
    const good = { folder: place.inbox, saveTo: place.out, presetId };
    const code = async (change: object) =>
      (await service.call('POST', '/api/watches', { ...good, ...change })).body;
    expect(await code({ folder: place.root })).toMatchObject({ code: 'FORBIDDEN_PATH' });
    expect(await code({ saveTo: '/nowhere' })).toMatchObject({ code: 'FORBIDDEN_PATH' });
    expect(await code({ saveTo: place.inbox })).toMatchObject({ code: 'INVALID_REQUEST' });
    expect(await code({ presetId: 'none' })).toMatchObject({ code: 'INVALID_REQUEST' });
    expect(await code({ folder: 7 })).toMatchObject({ code: 'INVALID_REQUEST' });
    expect(await watches(service)).toEqual([]);
    await rm(place.inbox, { recursive: true });
    expect(await code({})).toMatchObject({ code: 'FORBIDDEN_PATH' });
  });
});
