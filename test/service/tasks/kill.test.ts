import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as wait } from 'node:timers/promises';
import { describe, expect, it, onTestFinished } from 'vitest';
import { openStore } from '../../../electron/service/store/store.ts';
import { killedQueueProgram } from '../../support/programs.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const kills = 10;

interface Told {
  acknowledged: string[];
  finished: string[];
}

/** Runs the process until it ends, or for some time after it is ready and then kill -9. */
async function run(args: string[], told: Told, killAfterMs?: number): Promise<number | null> {
  const child = spawn(process.execPath, [killedQueueProgram, ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  const ended = once(child, 'close');
  const lines = createInterface({ input: child.stdout });
  lines.on('line', (line) => {
    const [what, taskId = ''] = line.split(' ');
    if (what === 'acknowledged') told.acknowledged.push(taskId);
    if (what === 'finished') told.finished.push(taskId);
  });
  if (killAfterMs !== undefined) {
    await once(lines, 'line');
    await wait(killAfterMs);
    child.kill('SIGKILL');
  }
  await ended;
  return child.exitCode;
}

describe('kill -9 at any moment', () => {
  it('loses no acknowledged task, and none yields two results', async () => {
    const dir = temporaryFolder();
    const [dataDir, saveTo] = [join(dir, 'data'), join(dir, 'saved')];
    const told: Told = { acknowledged: [], finished: [] };
    for (let kill = 0; kill < kills; kill++)
      await run([dataDir, saveTo], told, Math.random() * 250);
    expect(await run([dataDir, saveTo, 'drain'], told)).toBe(0);

    expect(told.acknowledged.length).toBeGreaterThan(kills);
    expect(new Set(told.finished).size).toBe(told.finished.length);
    const store = openStore(dataDir);
    onTestFinished(() => store.close());
    const saved: string[] = [];
    for (const taskId of told.acknowledged) {
      const task = store.tasks.get(taskId);
      expect(task?.status, task?.error?.message).toBe('FINISHED');
      const folder = join(dataDir, 'results', taskId);
      const { image, thumb } = task?.files ?? {};
      const names = [image?.name ?? '', thumb?.name ?? '', 'task.json'];
      expect((await readdir(folder)).toSorted()).toEqual(names.toSorted());
      expect(await readFile(join(folder, names[0] ?? ''), 'utf8')).toContain(taskId);
      expect(await readFile(task?.savedTo ?? '', 'utf8')).toContain(taskId);
      saved.push(task?.savedTo ?? '');
    }
    const copies = (await readdir(saveTo)).map((name) => join(saveTo, name));
    for (const path of saved) expect(copies).toContain(path);
    expect(copies.length).toBe(store.tasks.counts().FINISHED);
    expect(await readdir(join(dataDir, 'scratch'))).toEqual([]);
    // A source whose submit was cut off before its row stays for its days, and no other.
    const left = (await readdir(join(dataDir, 'sources'))).map((name) =>
      join(dataDir, 'sources', name),
    );
    expect(left.length).toBeLessThanOrEqual(kills);
    for (const path of left) {
      expect(path).not.toMatch(/\.part$/);
      expect(store.tasks.holdsFile(path)).toBe(false);
    }
  });
});
