/** A kill between a person's verdict, the folder and the database loses no result and leaves no wrong file. */
import { copyFile, mkdir, readdir, readFile, realpath, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openStore, type Store } from '../../../../electron/service/store/store.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';
import {
  createTestClock,
  newTask,
  openQueue,
  type Queue,
  type QueueOptions,
} from '../open-queue.ts';
import { options } from '../scripted-engine.ts';

const hourMs = 3_600_000;
const name = 'beach-2x.jpg';

interface Opened {
  queue: Queue;
  dir: string;
  out: string;
  taskId: string;
}

/** With one finished version in the folder. */
async function open(given: QueueOptions = {}): Promise<Opened> {
  const dir = temporaryFolder();
  const out = join(await realpath(temporaryFolder()), 'out');
  await mkdir(out);
  const queue = await openQueue({ dir, ...given });
  queue.store.settings.patch({ grantedFolders: [out] });
  const taskId = await addVersion(queue, out);
  expect(await readdir(out)).toEqual([name]);
  return { queue, dir, out, taskId };
}

async function addVersion(queue: Queue, out: string, fields: object = {}): Promise<string> {
  const asked = { ...options, saveTo: out, oneVersion: true, ...fields };
  const { taskId } = await queue.tasks.submit(newTask({ options: asked }));
  await queue.until(taskId, 'FINISHED');
  return taskId;
}

/** Kills the queue, changes what it left, and starts it again. */
async function killAnd({ queue, dir }: Opened, change: (store: Store) => void): Promise<Queue> {
  await queue.kill();
  const store = openStore(dir);
  change(store);
  store.close();
  return openQueue({ dir });
}

const soon = { timeout: 5000, interval: 10 };

describe('after a kill', () => {
  it('before a rejected version has left the folder, it leaves at the next start', async () => {
    const opened = await open();
    const queue = await killAnd(opened, (store) => store.tasks.noteMark(opened.taskId, 'rejected'));
    await expect.poll(() => readdir(opened.out), soon).toEqual([]);
    await queue.tasks.mark(opened.taskId, 'accepted');
    expect(await readdir(opened.out)).toEqual([name]);
  });

  it('behind the removal the database follows, and the result comes back when it is accepted', async () => {
    const opened = await open();
    const { out, taskId } = opened;
    const path = join(out, name);
    await rm(path);
    const queue = await killAnd(opened, (store) => store.tasks.noteMark(taskId, 'rejected'));
    await expect.poll(() => queue.tasks.get(taskId)?.savedTo, soon).toBeUndefined();
    await queue.tasks.mark(taskId, 'accepted');
    expect(await readFile(path, 'utf8')).toContain(taskId);
  });

  it('while a version was put in, its file is known again and not written twice', async () => {
    const opened = await open();
    const { queue: first, out, taskId } = opened;
    const path = join(out, name);
    await copyFile(path, join(dirname(out), 'put in'));
    await first.tasks.mark(taskId, 'rejected');
    await first.kill();
    await copyFile(join(dirname(out), 'put in'), path);
    const queue = await killAnd(opened, (store) => {
      store.tasks.noteMark(taskId, 'accepted');
      store.tasks.recordPlacing(taskId, path);
    });
    // What the kill left: the file has its name, and the row does not know it.
    await expect.poll(() => queue.tasks.get(taskId)?.savedTo, soon).toBe(path);
    expect(await readdir(out)).toEqual([name]);
  });

  it('before an accepted version is put into a folder of accepted ones, it is put there at the next start', async () => {
    const opened = await open();
    const { queue: first, out, taskId } = opened;
    await first.tasks.mark(taskId, 'rejected');
    const waiting = await addVersion(first, out, { onlyAccepted: true });
    expect(await readdir(out)).toEqual([]);
    const queue = await killAnd(opened, (store) => store.tasks.noteMark(waiting, 'accepted'));
    await expect.poll(() => queue.tasks.get(waiting)?.savedTo, soon).toBe(join(out, name));
    expect(await readFile(join(out, name), 'utf8')).toContain(waiting);
    await queue.kill();
    const again = await openQueue({ dir: opened.dir });
    await again.tasks.mark(waiting, null);
    expect(await readdir(out)).toEqual([]);
  });

  it('and the loss of the database no file is touched, because marks are lost with it', async () => {
    const opened = await open();
    const { queue: first, dir, out, taskId } = opened;
    await first.tasks.mark(taskId, 'accepted');
    await addVersion(first, out);
    await first.close();
    for (const file of await readdir(dir))
      if (file.startsWith('enlarger.db')) await rm(join(dir, file));
    const queue = await openQueue({ dir });
    queue.store.settings.patch({ grantedFolders: [out] });
    expect(queue.tasks.counts().FINISHED).toBe(2);
    await queue.tasks.mark(taskId, 'rejected');
    expect(await readdir(out)).toEqual([name]);
    expect(await readFile(join(out, name), 'utf8')).toContain(taskId);
  });
});

describe('a result whose file was taken out', () => {
  it('is kept for its whole retention once more', async () => {
    const clock = createTestClock();
    const { queue, out, taskId } = await open({ clock });
    clock.pass(23 * hourMs);
    await queue.tasks.mark(taskId, 'rejected');
    clock.pass(23 * hourMs);
    await queue.tasks.mark(taskId, null);
    expect(await readdir(out)).toEqual([name]);
  });

  it('is not taken out once it has expired, for its file is the only copy', async () => {
    const clock = createTestClock();
    const { queue, out, taskId } = await open({ clock });
    clock.pass(25 * hourMs);
    await queue.tasks.mark(taskId, 'rejected');
    expect(await readdir(out)).toEqual([name]);
    expect(queue.tasks.get(taskId)?.placement?.problem).toBe('not-removed');
  });
});

it('two versions that run at once leave one file, under the plain name', async () => {
  const out = join(await realpath(temporaryFolder()), 'out');
  await mkdir(out);
  const queue = await openQueue({ script: () => ({ do: 'finish', afterMs: 20 }) });
  queue.store.settings.patch({ grantedFolders: [out] });
  const [, second] = await Promise.all([addVersion(queue, out), addVersion(queue, out)]);
  await queue.tasks.mark(second, null);
  expect(await readdir(out)).toEqual([name]);
  expect(await readFile(join(out, name), 'utf8')).toContain(second);
});

it('a version that cannot be put in is finished, and its record says why it is not there', async () => {
  const { queue, out } = await open();
  await rename(out, `${out} aside`);
  const second = await addVersion(queue, out);
  await expect.poll(() => queue.tasks.get(second)?.placement?.problem, soon).toBe('not-saved');
  await rename(`${out} aside`, out);
  await queue.tasks.mark(second, 'accepted');
  expect(await readFile(join(out, name), 'utf8')).toContain(second);
});
