import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createTestClock, newTask, openQueue, soon, type Queue } from '../open-queue.ts';
import { options } from '../scripted-engine.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';

async function openHolding(dir?: string): Promise<Queue> {
  return openQueue({ ...(dir === undefined ? {} : { dir }), script: () => ({ do: 'hold' }) });
}

describe('after a kill', () => {
  it('a task that was running runs again, counted as a death of the service', async () => {
    const first = await openHolding();
    const { taskId } = await first.tasks.submit(newTask());
    await expect.poll(() => first.engine.isHeld(taskId)).toBe(true);
    await first.kill();
    const second = await openQueue({ dir: first.folder.root });
    const row = await second.until(taskId, 'FINISHED');
    expect(row).toMatchObject({ attempts: 2, serviceDeaths: 1, engineDeaths: 0 });
    expect(second.engine.jobs[0]?.device).toBe('auto');
  });

  it('ten times over a task fails with ENGINE_CRASHED, and a waiting one is not touched', async () => {
    const dir = temporaryFolder();
    let taskId = '';
    for (let death = 1; death <= 10; death++) {
      const queue = await openHolding(dir);
      if (death === 1) taskId = (await queue.tasks.submit(newTask())).taskId;
      await expect.poll(() => queue.engine.isHeld(taskId)).toBe(true);
      await queue.kill();
    }
    const last = await openQueue({ dir, start: false });
    expect(last.tasks.get(taskId)).toMatchObject({ status: 'FAILED', serviceDeaths: 10 });
    expect(last.tasks.get(taskId)?.error?.code).toBe('ENGINE_CRASHED');
    expect(last.tasks.retry(taskId).serviceDeaths).toBe(0);
  });

  it('between publishing and FINISHED there is one result in the end', async () => {
    const first = await openHolding();
    const { taskId } = await first.tasks.submit(newTask());
    await expect.poll(() => first.engine.isHeld(taskId)).toBe(true);
    await first.kill();
    const folder = join(first.folder.results, taskId);
    await mkdir(folder, { recursive: true });
    for (const name of ['1.jpg', '1-thumb.webp']) await writeFile(join(folder, name), 'published');
    const second = await openQueue({ dir: first.folder.root });
    await second.until(taskId, 'FINISHED');
    expect(await readdir(folder)).toEqual(['2-thumb.webp', '2.jpg', 'task.json']);
  });

  it('nothing of the broken attempt is left of a task that is cancelled before its next one', async () => {
    const first = await openHolding();
    const { taskId } = await first.tasks.submit(newTask());
    await expect.poll(() => first.engine.isHeld(taskId)).toBe(true);
    first.tasks.pause();
    await first.kill();
    const folder = join(first.folder.results, taskId);
    const names = ['1.part', '1-thumb.part', '1-tiles.zip', 'source-thumb.webp'];
    for (const name of names) await writeFile(join(folder, name), 'half');
    const second = await openQueue({ dir: first.folder.root });
    second.tasks.cancel(taskId);
    expect(await readdir(folder)).toEqual(['source-thumb.webp']);
  });

  it('after saving to a folder there is one copy in the end', async () => {
    const dir = temporaryFolder();
    const saveTo = join(dir, 'mine');
    await mkdir(saveTo);
    const first = await openHolding(join(dir, 'data'));
    first.store.settings.patch({ grantedFolders: [saveTo] });
    const { taskId } = await first.tasks.submit(newTask({ options: { ...options, saveTo } }));
    await expect.poll(() => first.engine.isHeld(taskId)).toBe(true);
    first.store.tasks.recordSavePath(taskId, 1, join(saveTo, 'beach-2x.jpg'));
    await writeFile(join(saveTo, 'beach-2x.jpg'), 'copied');
    await first.kill();
    const second = await openQueue({ dir: first.folder.root });
    expect((await second.until(taskId, 'FINISHED')).savedTo).toBe(join(saveTo, 'beach-2x.jpg'));
    expect(await readdir(saveTo)).toEqual(['beach-2x.jpg']);
  });

  it('files that no row names are deleted after a week, halves and scratch at once, and no others', async () => {
    const clock = createTestClock();
    const first = await openQueue({ start: false, clock });
    const { sources, scratch, results, root: dir } = first.folder;
    const source = { kind: 'data', path: join(sources, 'needed'), name: 'image' } as const;
    await first.tasks.submit(newTask({ source }));
    const names = ['needed', 'left', 'half.part'];
    await Promise.all(names.map((name) => writeFile(join(sources, name), 'x')));
    await mkdir(join(scratch, 'job', 'deep'), { recursive: true });
    await mkdir(join(results, 'deleted-task'));
    first.tasks.pause();
    await first.kill();
    const second = await openQueue({ dir, clock });
    await writeFile(join(sources, 'new'), 'x');
    await expect.poll(() => readdir(scratch)).toEqual([]);
    await expect.poll(() => readdir(sources)).toEqual(['left', 'needed', 'new']);
    expect(await readdir(results)).toEqual(['deleted-task']);
    clock.pass(6.9 * 24 * 3_600_000);
    await second.close();
    const third = await openQueue({ dir, clock });
    await third.close();
    expect(await readdir(results)).toEqual(['deleted-task']);
    clock.pass(0.2 * 24 * 3_600_000);
    const last = await openQueue({ dir, clock });
    await expect.poll(() => readdir(results)).toEqual([]);
    await expect.poll(() => readdir(sources)).toEqual(['needed', 'new']);
    await last.close();
  });
});

describe('a full disk', () => {
  it('keeps a finished task running until its end can be stored', async () => {
    const queue = await openQueue({ script: () => ({ do: 'hold' }) });
    const { taskId } = await queue.tasks.submit(newTask());
    await expect.poll(() => queue.engine.isHeld(taskId)).toBe(true);
    const table = queue.store.tasks;
    const finish = table.finish.bind(table);
    let refusals = 0;
    const { EnlargerError } = await import('../../../../packages/contract/src/errors.ts');
    queue.store.tasks.finish = (finishing) => {
      if (refusals++ < 2) throw new EnlargerError('STORAGE_FULL', 'The disk is full.');
      return finish(finishing);
    };
    queue.engine.settle(taskId, { do: 'finish' });
    await soon();
    expect(await queue.until(taskId, 'FINISHED')).toMatchObject({ attempts: 1 });
    expect(refusals).toBe(3);
  });
});
