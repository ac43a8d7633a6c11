/** What the queue's calls cost with 1,000, 10,000 and 100,000 waiting tasks: `npm run bench:queue`. */
import { EnlargerError } from '../../packages/contract/src/errors.ts';
import { createServiceClock, systemClock } from '../../electron/service/timing/clock.ts';
import { openStore, type Store } from '../../electron/service/store/store.ts';
import { createEventLog } from '../../electron/service/tasks/events/event-log.ts';
import { createLiveProgress } from '../../electron/service/tasks/running/live-progress.ts';
import { createQueueCalls, type QueueCalls } from '../../electron/service/tasks/queue-calls.ts';
import type { TaskListQuery } from '../../packages/contract/src/task.ts';
import type { NewTask } from '../../electron/service/tasks/tasks.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const sizes = [1000, 10_000, 100_000];
const task: NewTask = {
  operation: 'upscale',
  source: { kind: 'url', url: 'http://example.org/beach.jpg' },
  options: {
    scale: 2,
    model: 'faithful',
    format: 'same',
    formatChosen: false,
    bitDepth: 'same',
    metadata: 'keep',
  },
  priority: 0,
};
const ending = { endedAt: 0, expiresOn: Number.MAX_SAFE_INTEGER };
const failing = { code: 'CANCELLED', message: 'The task was cancelled.', ...ending } as const;

interface Bench {
  store: Store;
  calls: QueueCalls;
  ids: string[];
}

function openBench(dir: string): Bench {
  const store = openStore(dir);
  const clock = createServiceClock(systemClock, store.clock);
  const events = createEventLog({
    changes: store.changes,
    find: () => undefined,
    log: () => undefined,
  });
  const calls = createQueueCalls({
    store,
    clock,
    live: createLiveProgress(),
    announce: (task) => events.publish(task),
    endingNow: () => ending,
  });
  store.settings.patch({ maxWaitingTasks: 1_000_000 });
  return { store, calls, ids: [] };
}

/** Notes their ids. Throws when one is refused. */
function submit({ calls, ids }: Bench, count: number): void {
  const submits = Array.from({ length: count }, () => ({ task, idempotency: undefined }));
  for (const one of calls.submitAll(submits)) {
    if (one instanceof EnlargerError) throw one;
    ids.push(one.task.taskId);
  }
}

/** Many in a transaction: only the measured ones are to be paid for one by one. */
function fillTo(bench: Bench, size: number): void {
  for (;;) {
    const missing = size - bench.store.tasks.counts().PENDING;
    if (missing <= 0) return;
    submit(bench, Math.min(1000, missing));
  }
}

/** Milliseconds of each of many calls: the median and the 99th of a hundred. */
function measure(times: number, call: (i: number) => void): string {
  const taken = Array.from({ length: times }, (_, i) => {
    const start = performance.now();
    call(i);
    return performance.now() - start;
  }).toSorted((a, b) => a - b);
  const at = (share: number) => taken[Math.floor(share * (taken.length - 1))] ?? NaN;
  return `${at(0.5).toFixed(2)} / ${at(0.99).toFixed(2)}`;
}

/** Puts the claimed ones out of the way of what is measured next. */
function forgetClaimed({ store, ids }: Bench): void {
  const claimed = new Set(store.tasks.recover(failing).map(({ taskId }) => taskId));
  store.transaction(() => claimed.forEach((taskId) => store.tasks.cancel(taskId, failing)));
  const waiting = ids.filter((taskId) => !claimed.has(taskId));
  ids.splice(0, ids.length, ...waiting);
}

/** Pages on to about the middle of what waits; answers the query that goes on from there. */
function middleOf(calls: QueueCalls, waiting: number): TaskListQuery {
  const limit = 500;
  let query: TaskListQuery = { status: 'PENDING' };
  for (let seen = 0; seen < waiting / 2; seen += limit) {
    const { nextCursor } = calls.list({ ...query, limit });
    if (nextCursor !== undefined) query = { ...query, cursor: nextCursor };
  }
  return query;
}

function measureAll(bench: Bench): Record<string, string> {
  const { store, calls, ids } = bench;
  const middle = () => ids[Math.floor(Math.random() * ids.length * 0.8 + ids.length * 0.1)] ?? '';
  const known = (taskId: string) => {
    const found = calls.get(taskId);
    if (!found) throw new Error(`${taskId} is gone`);
    return found;
  };
  const inMiddle = middleOf(calls, ids.length);
  const submitAndClaim = {
    'submit (durable)': measure(200, () => submit(bench, 1)),
    'claim (durable)': measure(200, () => store.tasks.claim({ startedAt: 1 }, true, [])),
  };
  forgetClaimed(bench);
  return {
    ...submitAndClaim,
    'first page of 50': measure(200, () => calls.list({ limit: 50 })),
    'PENDING page of 50': measure(200, () => calls.list({ limit: 50, status: 'PENDING' })),
    'page in the middle': measure(200, () => calls.list({ ...inMiddle, limit: 50 })),
    'page of 50 with places': measure(100, () =>
      calls.list({ limit: 50 }).rows.map((found) => calls.queuePositionOf(found)),
    ),
    counts: measure(200, () => calls.counts()),
    'place of one': measure(200, () => calls.queuePositionOf(known(middle()))),
    'move first (durable)': measure(100, () => calls.move(middle(), { place: 'first' })),
    'move beside (durable)': measure(100, () =>
      calls.move(middle(), { place: { after: middle() } }),
    ),
    'cancel (durable)': measure(100, () => calls.cancel(ids.pop() ?? '')),
  };
}

const dir = temporaryFolder();
const bench = openBench(dir);
const table: Record<string, Record<string, string>> = {};
for (const size of sizes) {
  fillTo(bench, size);
  const columns = measureAll(bench);
  for (const [call, taken] of Object.entries(columns)) {
    table[call] = { ...table[call], [`${size.toLocaleString('en')} waiting`]: taken };
  }
}
console.log('Milliseconds a call, median / 99 of 100. Durable ones include the write to disk.');
console.table(table);
bench.store.close();
