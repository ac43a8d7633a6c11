import { mkdir, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { newTask, openQueue } from '../open-queue.ts';
import { options } from '../scripted-engine.ts';
import { smallDisk } from '../../../support/small-disk.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';

it('a folder that is gone fails the task, and a retry saves without enlarging again', async () => {
  const root = temporaryFolder();
  const saveTo = join(root, 'mine');
  await mkdir(saveTo);
  const queue = await openQueue({ start: false });
  queue.store.settings.patch({ grantedFolders: [saveTo] });
  const { taskId } = await queue.tasks.submit(newTask({ options: { ...options, saveTo } }));
  await rm(saveTo, { recursive: true });
  queue.tasks.start();
  const failed = await queue.until(taskId, 'FAILED');
  expect(failed.error).toMatchObject({ code: 'CANNOT_WRITE' });
  expect(queue.engine.jobs).toHaveLength(1);

  await mkdir(saveTo);
  queue.tasks.retry(taskId);
  const finished = await queue.until(taskId, 'FINISHED');
  expect(queue.engine.jobs).toHaveLength(1);
  expect(await readdir(saveTo)).toHaveLength(1);
  expect(finished.savedTo).toContain(saveTo);
});

it('a kept result of options that changed is not saved: the picture is made anew', async () => {
  const root = temporaryFolder();
  const saveTo = join(root, 'mine');
  const asked = { ...options, saveTo };
  const queue = await openQueue();
  queue.store.settings.patch({ grantedFolders: [root] });
  const { taskId } = await queue.tasks.submit(newTask({ options: asked }));
  await queue.until(taskId, 'FAILED');
  await mkdir(saveTo);
  queue.tasks.pause();
  const before = queue.tasks.retry(taskId);
  const after = { operation: 'upscale', options: { ...asked, quality: 50 } } as const;
  queue.tasks.change(taskId, before, after, {});
  queue.tasks.resume();
  await queue.until(taskId, 'FINISHED');
  expect(queue.engine.jobs.map((job) => job.quality)).toEqual([undefined, 50]);
});

it('a disk that is too small for the result fails the task before its network runs', async (context) => {
  const saveTo = smallDisk(1);
  if (saveTo === undefined) context.skip('no file system may be mounted');
  const estimate = { width: 1, height: 1, format: 'png', fileSizeBytes: 2e6, scratchBytes: 0 };
  // The job would end only after an hour.
  const script = () => ({ do: 'finish', afterMs: 3_600_000, estimate }) as const;
  const queue = await openQueue({ script });
  queue.store.settings.patch({ grantedFolders: [saveTo ?? ''] });
  const { taskId } = await queue.tasks.submit(
    newTask({ options: { ...options, saveTo: saveTo ?? '' } }),
  );
  const { error } = await queue.until(taskId, 'FAILED');
  expect(error).toMatchObject({ code: 'STORAGE_FULL' });
  expect(error?.message).toMatch(/takes about 2 MB, .* only \d MB free/);
});
