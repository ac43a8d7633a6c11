/**
 * A process with a queue, to be killed: submits and runs tasks, and says so on stdout, a line each:
 * `acknowledged <taskId>`, `finished <taskId>`. With `drain` it submits nothing and ends when all is done.
 */
import { writeSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { createServiceClock, systemClock } from '../../../electron/service/timing/clock.ts';
import { openDataFolder } from '../../../electron/service/data-folder.ts';
import { openStore } from '../../../electron/service/store/store.ts';
import { openTasks } from '../../../electron/service/tasks/queue.ts';
import { options, createScriptedEngine, scriptedSteps } from './scripted-engine.ts';

const [dataDir = '', saveTo = '', mode = ''] = process.argv.slice(2);
const tell = (line: string) => writeSync(1, `${line}\n`);

const folder = openDataFolder(dataDir);
const store = openStore(folder.root);
await mkdir(saveTo, { recursive: true });
store.settings.patch({ grantedFolders: [saveTo] });
const engine = createScriptedEngine(() => ({ do: 'finish', afterMs: Math.random() * 8 }));
const tasks = await openTasks({
  store,
  clock: createServiceClock(systemClock, store.clock),
  steps: scriptedSteps(engine, folder),
  sourcesDir: folder.sources,
  sweepUploads: () => Promise.resolve(),
  log: () => undefined,
});
tasks.events.subscribe(undefined, ({ task }) => {
  if (task.status === 'FINISHED') tell(`finished ${task.taskId}`);
});
tasks.start();
tell('ready');

async function submitForEver(): Promise<never> {
  for (let n = 0; ; n++) {
    const path = join(folder.sources, `${process.pid}-${n}`);
    await writeFile(path, 'a picture');
    const { taskId } = await tasks.submit({
      operation: 'upscale',
      source: { kind: 'data', path, name: 'beach.jpg' },
      options: { ...options, saveTo, name: `{name} ${process.pid}-${n}` },
      priority: n % 3,
    });
    tell(`acknowledged ${taskId}`);
    await wait(Math.random() * 15);
  }
}

async function drain(): Promise<void> {
  const { PENDING, PROCESSING } = tasks.counts();
  if (PENDING + PROCESSING > 0) return wait(20).then(drain);
  await tasks.close();
  store.close();
  folder.close();
}

await (mode === 'drain' ? drain() : submitForEver());
