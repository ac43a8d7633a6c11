/** Random sequences of transitions against a plain model of them. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { openStore } from '../../../../electron/service/store/store.ts';
import type { Task } from '../../../../electron/service/store/tasks/task.ts';
import type { TaskTable } from '../../../../electron/service/store/tasks/table.ts';
import type { TaskStatus } from '../../../../packages/contract/src/task.ts';
import { options, report } from '../../tasks/scripted-engine.ts';

interface Known {
  status: TaskStatus;
  priority: number;
  attempts: number;
  engineDeaths: number;
  serviceDeaths: number;
  /** Counts up with each submit and retry. */
  arrival: number;
  finishes: number;
}

const expiresOn = 100;
const failing = { code: 'ENGINE_CRASHED', message: 'It crashed.', endedAt: 1, expiresOn } as const;
const files = { image: { name: 'a', type: 'a' }, thumb: { name: 'b', type: 'b' } };

/** Both the table and what is expected of it. Each method does the same to both, and compares. */
class Pair {
  readonly tasks: TaskTable;
  readonly known = new Map<string, Known>();
  #arrivals = 0;
  #hasMoved = false;

  constructor(tasks: TaskTable) {
    this.tasks = tasks;
  }

  submit(priority: number): void {
    const taskId = `t${this.#arrivals}`;
    this.tasks.insert({
      taskId,
      photo: taskId,
      operation: 'upscale',
      source: { kind: 'url', url: 'http://a/b' },
      options,
      priority,
      createdAt: 1,
      queuedOn: 1,
    });
    const counts = { attempts: 0, engineDeaths: 0, serviceDeaths: 0, finishes: 0 };
    this.known.set(taskId, { status: 'PENDING', priority, arrival: this.#arrivals++, ...counts });
  }

  claim(): void {
    const isAlone = ![...this.known.values()].some(({ status }) => status === 'PROCESSING');
    const [first] = this.waiting();
    const task = this.tasks.claim({ startedAt: 1 }, isAlone, []);
    const known = first === undefined ? undefined : this.known.get(first);
    if (!known || (known.engineDeaths > 0 && !isAlone)) {
      expect(task).toBeUndefined();
      return;
    }
    expect(task?.taskId).toBe(first);
    Object.assign(known, { status: 'PROCESSING', attempts: known.attempts + 1 });
  }

  end(taskId: string, isLate: boolean, how: 'finish' | 'fail' | 'release' | 'engineDied'): void {
    const known = this.of(taskId);
    const attempt = { taskId, attempt: known.attempts - (isLate ? 1 : 0) };
    const answered = this.#end(attempt, how);
    if (isLate || known.status !== 'PROCESSING') {
      expect(answered).toBeUndefined();
      return;
    }
    if (how === 'engineDied') known.engineDeaths++;
    if (how === 'finish') known.finishes++;
    if (how === 'finish') known.status = 'FINISHED';
    else if (how === 'fail' || known.engineDeaths >= 2) known.status = 'FAILED';
    else known.status = 'PENDING';
    expect(answered?.status).toBe(known.status);
  }

  #end(attempt: { taskId: string; attempt: number }, how: string): Task | undefined {
    const { input, output, device, timings, notes } = report();
    const done = { model: 'm', input, output, device, timings, notes };
    const ending = { endedAt: 1, expiresOn, report: done, files, savedTo: undefined };
    if (how === 'finish') return this.tasks.finish({ ...attempt, ...ending });
    if (how === 'fail') return this.tasks.fail(attempt, failing);
    if (how === 'release') return this.tasks.release(attempt);
    return this.tasks.engineDied(attempt, failing);
  }

  serviceDeath(): void {
    this.tasks.recover(failing);
    for (const known of this.known.values()) {
      if (known.status !== 'PROCESSING') continue;
      known.status = ++known.serviceDeaths >= 10 ? 'FAILED' : 'PENDING';
    }
  }

  cancel(taskId: string): void {
    const known = this.of(taskId);
    const canCancel = known.status === 'PENDING' || known.status === 'PROCESSING';
    expect(this.tasks.cancel(taskId, failing) !== undefined).toBe(canCancel);
    if (canCancel) known.status = 'FAILED';
  }

  retry(taskId: string, nowOn: number): void {
    const known = this.of(taskId);
    const canRetry = known.status === 'FAILED' && nowOn < expiresOn;
    expect(this.tasks.retry(taskId, nowOn) !== undefined).toBe(canRetry);
    if (!canRetry) return;
    const arrival = this.#arrivals++;
    Object.assign(known, { status: 'PENDING', engineDeaths: 0, serviceDeaths: 0, arrival });
  }

  move(taskId: string, beside: string, where: 'first' | 'last' | 'before' | 'after'): void {
    const isEdge = where === 'first' || where === 'last';
    const position = isEdge ? where : where === 'before' ? { before: beside } : { after: beside };
    const moved = this.tasks.move(taskId, position, undefined);
    const canMove = [taskId, isEdge ? taskId : beside].every(
      (id) => this.of(id).status === 'PENDING',
    );
    expect(moved !== undefined).toBe(canMove);
    if (!moved) return;
    this.#hasMoved = true;
    this.of(taskId).priority = moved.priority;
    const order = this.waiting();
    const at = order.indexOf(taskId);
    if (where === 'first') expect(at).toBe(0);
    if (where === 'last') expect(at).toBe(order.length - 1);
    if (beside === taskId) return;
    if (where === 'before') expect(order[at + 1]).toBe(beside);
    if (where === 'after') expect(order[at - 1]).toBe(beside);
  }

  of(taskId: string): Known {
    const known = this.known.get(taskId);
    if (!known) throw new Error(`${taskId} is not known`);
    return known;
  }

  /** The waiting tasks in the order that the table tells. */
  waiting(): string[] {
    const order: string[] = [];
    for (const task of this.tasks.list({ limit: 1000, status: 'PENDING' })) {
      order[this.tasks.queuePositionOf(task) - 1] = task.taskId;
    }
    return order;
  }

  check(): void {
    const counts = { PENDING: 0, PROCESSING: 0, FINISHED: 0, FAILED: 0, CANCELLED: 0 };
    for (const [taskId, known] of this.known) {
      const { status, priority, attempts, engineDeaths, serviceDeaths } = known;
      const expected = { status, priority, attempts, engineDeaths, serviceDeaths };
      expect(this.tasks.get(taskId)).toMatchObject(expected);
      expect(known.finishes).toBeLessThanOrEqual(1);
      counts[status]++;
    }
    expect(this.tasks.counts()).toEqual(counts);
    const order = this.waiting().map((taskId) => this.of(taskId));
    expect(Object.keys(order)).toHaveLength(counts.PENDING);
    const byPriority = (a: Known, b: Known) => b.priority - a.priority;
    const byArrival = (a: Known, b: Known) => byPriority(a, b) || a.arrival - b.arrival;
    expect(order).toEqual(order.toSorted(this.#hasMoved ? byPriority : byArrival));
  }
}

const which = fc.nat();
const step = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({
      op: fc.constant('submit' as const),
      priority: fc.integer({ min: -1, max: 1 }),
    }),
  },
  { weight: 4, arbitrary: fc.record({ op: fc.constant('claim' as const) }) },
  {
    weight: 4,
    arbitrary: fc.record({
      op: fc.constant('end' as const),
      which,
      isLate: fc.boolean(),
      how: fc.constantFrom(
        'finish' as const,
        'fail' as const,
        'release' as const,
        'engineDied' as const,
      ),
    }),
  },
  { weight: 1, arbitrary: fc.record({ op: fc.constant('serviceDeath' as const) }) },
  { weight: 1, arbitrary: fc.record({ op: fc.constant('cancel' as const), which }) },
  {
    weight: 2,
    arbitrary: fc.record({
      op: fc.constant('retry' as const),
      which,
      nowOn: fc.constantFrom(0, 99, 100),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      op: fc.constant('move' as const),
      which,
      beside: which,
      where: fc.constantFrom(
        'first' as const,
        'last' as const,
        'before' as const,
        'after' as const,
      ),
    }),
  },
);

type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

function perform(pair: Pair, next: Step): void {
  const ids = [...pair.known.keys()];
  const taskId = 'which' in next ? ids[next.which % ids.length] : undefined;
  if (next.op === 'submit') pair.submit(next.priority);
  else if (next.op === 'claim') pair.claim();
  else if (next.op === 'serviceDeath') pair.serviceDeath();
  else if (taskId === undefined) return;
  else if (next.op === 'end') pair.end(taskId, next.isLate, next.how);
  else if (next.op === 'cancel') pair.cancel(taskId);
  else if (next.op === 'retry') pair.retry(taskId, next.nowOn);
  else pair.move(taskId, ids[next.beside % ids.length] ?? taskId, next.where);
}

describe('any sequence of transitions', () => {
  it('loses no task, finishes none twice, and keeps the order and the counts', () => {
    const steps = fc.array(step, { minLength: 1, maxLength: 60, size: 'max' });
    fc.assert(
      fc.property(steps, (sequence) => {
        const store = openStore(':memory:');
        const pair = new Pair(store.tasks);
        for (const next of sequence) {
          perform(pair, next);
          pair.check();
        }
        store.close();
      }),
      { numRuns: 50 },
    );
  });
});
