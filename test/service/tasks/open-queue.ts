/** A queue over a real database and real files, with a scripted engine and clocks that a test moves. */
import { onTestFinished } from 'vitest';
import {
  createServiceClock,
  type Clock,
  type ServiceClock,
} from '../../../electron/service/timing/clock.ts';
import { openDataFolder, type DataFolder } from '../../../electron/service/data-folder.ts';
import { openStore, type Store } from '../../../electron/service/store/store.ts';
import type { Task, TaskSource } from '../../../electron/service/store/tasks/task.ts';
import type { NewTask, TaskEvent, Tasks } from '../../../electron/service/tasks/tasks.ts';
import { openTasks, type TasksOptions } from '../../../electron/service/tasks/queue.ts';
import {
  options,
  createScriptedEngine,
  scriptedSteps,
  type Act,
  type ScriptedEngine,
} from './scripted-engine.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

/** Stands still until it is moved. */
export interface TestClock extends Clock {
  /** Both clocks go on, as time does. */
  pass(ms: number): void;
  /** Only the wall clock moves, as when it is set. */
  jump(ms: number): void;
}

export function createTestClock(wall = Date.UTC(2026, 0, 1)): TestClock {
  let monotonic = 1000;
  return {
    wallMs: () => wall,
    monotonicMs: () => monotonic,
    pass: (ms) => void ((wall += ms), (monotonic += ms)),
    jump: (ms) => void (wall += ms),
  };
}

export interface Queue {
  tasks: Tasks;
  store: Store;
  clock: ServiceClock;
  folder: DataFolder;
  engine: ScriptedEngine;
  events: TaskEvent[];
  logged: string[];
  /** Resolves when the task has one of the statuses. */
  until(taskId: string, ...statuses: Task['status'][]): Promise<Task>;
  /** Closes as the service does. */
  close(): Promise<void>;
  /** Ends as a kill does, as far as one process can play it: nothing more is committed. */
  kill(): Promise<void>;
}

export interface QueueOptions {
  dir?: string;
  script?: (taskId: string, attempt: number) => Act;
  clock?: Clock;
  fetchSource?: (toPath: string, signal: AbortSignal, source: TaskSource) => Promise<void>;
  patienceMs?: number;
  openGrantedFolder?: TasksOptions['steps']['openGrantedFolder'];
  start?: boolean;
}

export async function openQueue(options: QueueOptions = {}): Promise<Queue> {
  const folder = openDataFolder(options.dir ?? temporaryFolder());
  const store = openStore(folder.root);
  const engine = createScriptedEngine(options.script ?? (() => ({ do: 'finish' })));
  const { fetchSource } = options;
  const logged: string[] = [];
  const clock = createServiceClock(options.clock ?? createTestClock(), store.clock);
  const tasks = await openTasks({
    store,
    clock,
    steps: {
      ...scriptedSteps(engine, folder),
      ...(fetchSource && {
        fetchSource: (source, { toPath, signal }) => fetchSource(toPath, signal, source),
      }),
      ...(options.openGrantedFolder && { openGrantedFolder: options.openGrantedFolder }),
    },
    sourcesDir: folder.sources,
    sweepUploads: () => Promise.resolve(),
    log: (level, message, fields) => logged.push(JSON.stringify({ level, message, ...fields })),
    retryMs: 20,
    removalsEveryMs: 10,
    graceMs: 2000,
    ...(options.patienceMs !== undefined && { patienceMs: options.patienceMs }),
  });
  const events: TaskEvent[] = [];
  tasks.events.subscribe(undefined, (event) => events.push(event));
  let isOpen = true;
  const end = async (work: () => Promise<void>) => {
    if (!isOpen) return;
    isOpen = false;
    await work();
    folder.close();
  };
  const close = () => end(() => tasks.close().then(() => store.close()));
  const kill = () =>
    end(async () => {
      store.close();
      await tasks.close().catch(() => undefined);
    });
  onTestFinished(close);
  if (options.start !== false) tasks.start();
  return { tasks, store, clock, folder, engine, events, logged, until: waiter(tasks), close, kill };
}

function waiter(tasks: Tasks): Queue['until'] {
  return (taskId, ...statuses) =>
    new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        stop();
        reject(new Error(`${taskId} is ${tasks.get(taskId)?.status}, not ${statuses.join()}`));
      }, 10_000);
      const settle = (row: Task | undefined) => {
        if (!row || !statuses.includes(row.status)) return;
        clearTimeout(timer);
        stop();
        resolve(row);
      };
      const stop = tasks.events.subscribe(taskId, ({ task, isProgress }) =>
        settle(isProgress ? tasks.get(taskId) : task),
      );
      settle(tasks.get(taskId));
    });
}

export function newTask(change: Partial<NewTask> = {}): NewTask {
  const source = { kind: 'url', url: 'http://example.org/beach.jpg' } as const;
  return { operation: 'upscale', source, options, priority: 0, ...change };
}

/** Their ids, in the order of the queue. */
export async function submitMany({ tasks }: Queue, count: number): Promise<string[]> {
  const rows = await Promise.all(Array.from({ length: count }, () => tasks.submit(newTask())));
  return rows.map(({ taskId }) => taskId);
}

/** Lets what was set to run at once run. */
export async function soon(times = 3): Promise<void> {
  for (let i = 0; i < times; i++) await new Promise((resolve) => setImmediate(resolve));
}
