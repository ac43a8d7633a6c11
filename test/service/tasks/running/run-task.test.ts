import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { TaskProgress } from '../../../../electron/service/tasks/running/live-progress.ts';
import { newTask, openQueue } from '../open-queue.ts';
import { options } from '../scripted-engine.ts';

const statusesOf = (events: { task: { status: string } }[]) =>
  events.map(({ task }) => task.status).filter((status, i, all) => status !== all[i - 1]);

describe('a task', () => {
  it('is enlarged, published and FINISHED, in this order, with its report', async () => {
    const queue = await openQueue();
    const { taskId } = await queue.tasks.submit(newTask());
    const row = await queue.until(taskId, 'FINISHED');
    expect(statusesOf(queue.events)).toEqual(['PENDING', 'PROCESSING', 'FINISHED']);
    expect(row.attempts).toBe(1);
    expect(queue.tasks.progressOf(row).progress).toBe(100);
    expect(queue.tasks.isExpired(row)).toBe(false);
    expect(row.report).toMatchObject({ model: 'test-x2', output: { width: 2000 } });
    expect(row.report?.timings).toMatchObject({ networkMs: 500, queuedMs: 0 });
    expect(row.files).toMatchObject({ image: { name: '1.jpg', type: 'image/jpeg' } });
    const image = await readFile(join(queue.folder.results, taskId, '1.jpg'), 'utf8');
    expect(image).toBe(`image of ${taskId}-1`);
    expect(await readdir(join(queue.folder.results, taskId))).toHaveLength(3);
    expect(await readdir(queue.folder.scratch)).toEqual([]);
  });

  it('shows progress that never goes back, and the estimate of the rest', async () => {
    const queue = await openQueue({
      script: (_id, attempt) => (attempt === 1 ? { do: 'die', blamed: true } : { do: 'finish' }),
    });
    const told: TaskProgress[] = [];
    queue.tasks.events.subscribe(undefined, ({ task, isProgress }) => {
      if (task.status === 'PROCESSING') told.push(isProgress ? task : queue.tasks.progressOf(task));
    });
    const { taskId } = await queue.tasks.submit(newTask());
    await queue.until(taskId, 'FINISHED');
    const shown = told.map(({ progress }) => progress);
    expect(shown).toEqual(shown.toSorted((a, b) => a - b));
    expect(shown).toContain(60);
    expect(told.some(({ etaSeconds }) => etaSeconds === 1)).toBe(true);
    const percents = queue.events.filter(({ isProgress }) => isProgress);
    const fields = new Set(percents.flatMap(({ task }) => Object.keys(task)));
    expect([...fields].sort()).toEqual(['etaSeconds', 'progress', 'status', 'taskId']);
  });

  it('that failed says why, and keeps no files of the attempt', async () => {
    const queue = await openQueue({ script: () => ({ do: 'fail', code: 'UNREADABLE_IMAGE' }) });
    const { taskId } = await queue.tasks.submit(newTask());
    const row = await queue.until(taskId, 'FAILED');
    expect(row.error).toEqual({
      code: 'UNREADABLE_IMAGE',
      message: 'It failed with UNREADABLE_IMAGE.',
    });
    expect(await readdir(queue.folder.scratch)).toEqual([]);
    await queue.close();
    expect(await readdir(queue.folder.results)).toEqual([]);
  });

  it('that failed for no known reason is INTERNAL, and the log says where', async () => {
    const queue = await openQueue({ script: () => ({ do: 'throw' }) });
    const { taskId } = await queue.tasks.submit(newTask());
    expect((await queue.until(taskId, 'FAILED')).error?.code).toBe('INTERNAL');
    expect(queue.logged.join()).toContain('scripted-engine.ts');
  });

  it('gives its data: file back when it is finished, and keeps it while it may be retried', async () => {
    const queue = await openQueue({
      script: (_id, attempt) =>
        attempt === 1 ? { do: 'fail', code: 'OUT_OF_MEMORY' } : { do: 'finish' },
    });
    const path = join(queue.folder.sources, 'picture');
    await writeFile(path, 'bytes');
    const { taskId } = await queue.tasks.submit(
      newTask({ source: { kind: 'data', path, name: 'image' } }),
    );
    await queue.until(taskId, 'FAILED');
    expect(await readdir(queue.folder.sources)).toEqual(['picture']);
    queue.tasks.retry(taskId);
    await queue.until(taskId, 'FINISHED');
    expect(queue.engine.jobs.at(-1)?.sourcePath).toBe(path);
    await queue.close();
    expect(await readdir(queue.folder.sources)).toEqual([]);
  });

  it('whose upload was removed by hand says what is missing, and what to do', async () => {
    const queue = await openQueue();
    const path = join(queue.folder.sources, 'picture');
    const { taskId } = await queue.tasks.submit(
      newTask({ source: { kind: 'data', path, name: 'image' } }),
    );
    expect((await queue.until(taskId, 'FAILED')).error).toEqual({
      code: 'SOURCE_UNREACHABLE',
      message: `Expected the photo that was sent at ${path}, but it was removed from the data folder. Add the photo again.`,
    });
  });

  it('is saved into a granted folder too', async () => {
    const queue = await openQueue();
    const saveTo = join(queue.folder.root, 'mine');
    await import('node:fs/promises').then(({ mkdir }) => mkdir(saveTo));
    queue.store.settings.patch({ grantedFolders: [saveTo] });
    const { taskId } = await queue.tasks.submit(newTask({ options: { ...options, saveTo } }));
    const row = await queue.until(taskId, 'FINISHED');
    expect(row.savedTo).toBe(join(saveTo, 'beach-2x.jpg'));
    expect(await readFile(join(saveTo, 'beach-2x.jpg'), 'utf8')).toBe(`image of ${taskId}-1`);
  });

  it('whose folder is no longer granted fails with CANNOT_WRITE', async () => {
    const queue = await openQueue();
    const { taskId } = await queue.tasks.submit(
      newTask({ options: { ...options, saveTo: '/nowhere' } }),
    );
    expect((await queue.until(taskId, 'FAILED')).error?.code).toBe('CANNOT_WRITE');
  });
});
