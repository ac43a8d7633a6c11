/**
 * A process with a queue, to be killed: submits and runs tasks, and says so on stdout, a line each:
 * `acknowledged <taskId>`, `finished <taskId>`. With `drain` it submits nothing and ends when all is done.
 */
import { writeSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type { MaskNetworkFile, NetworkFile } from '../../../electron/engine/protocol.ts';
import { createServiceClock, systemClock } from '../../../electron/service/clock.ts';
import { openDataFolder } from '../../../electron/service/data-folder.ts';
import { createResults } from '../../../electron/service/results/results.ts';
import { openGrantedFolder } from '../../../electron/service/settings/granted.ts';
import { openStore } from '../../../electron/service/store/store.ts';
import { openTasks } from '../../../electron/service/tasks/queue.ts';
import { speeds, createScriptedEngine } from './scripted-engine.ts';

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
  steps: {
    fetchSource: (_source, { toPath }) => writeFile(toPath, 'a picture'),
    backgroundOf: () => ({ kind: 'url', url: 'https://example.org/beach.jpg' }),
    openPasses: () => Promise.resolve([{ modelId: 'test', scale: 2 } as NetworkFile]),
    scalesOf: () => [2, 4, 8, 16],
    openChoices: () => Promise.resolve([[{ modelId: 'test', scale: 2 } as NetworkFile]]),
    openMaskNetwork: () => Promise.resolve({ modelId: 'cutout' } as MaskNetworkFile),
    runEngine: (job, watch) => engine.run(job, watch),
    foresee: () => Promise.reject(new Error('No name is asked for.')),
    inspectResult: () => Promise.reject(new Error('No name is taken.')),
    makeThumbnail: () => Promise.reject(new Error('No name is taken.')),
    openGrantedFolder,
    saveToken: (taskId) => taskId,
    results: createResults(folder.results),
    scratchDir: folder.scratch,
    version: '0.0.0',
  },
  sourcesDir: folder.sources,
  measuredSpeeds: () => Promise.resolve(speeds),
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
      options: {
        scale: 2,
        model: 'test',
        format: 'same',
        formatChosen: false,
        bitDepth: 'same',
        metadata: 'keep',
        saveTo,
        name: `{name} ${process.pid}-${n}`,
      },
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
