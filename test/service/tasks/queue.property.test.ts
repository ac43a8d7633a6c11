/** Random use of a whole queue, with deaths of its engine, of the service, and clean restarts in between. */
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { EnlargerError } from '../../../packages/contract/src/errors.ts';
import { newTask, openQueue, soon, type Queue } from './open-queue.ts';
import type { Act } from './scripted-engine.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

type Ended = Exclude<Act, { do: 'hold' }>;

const acts: Ended[] = [
  { do: 'finish' },
  { do: 'fail', code: 'UNREADABLE_IMAGE' },
  { do: 'die', blamed: true },
  { do: 'die', blamed: false },
];
const which = fc.nat({ max: 1000 });
const step = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      op: fc.constant('submit' as const),
      priority: fc.integer({ min: -1, max: 1 }),
    }),
  },
  {
    weight: 5,
    arbitrary: fc.record({ op: fc.constant('settle' as const), act: fc.constantFrom(...acts) }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      op: fc.constantFrom('cancel', 'retry', 'move', 'remove', 'undo', 'delete'),
      which,
    }),
  },
  { weight: 1, arbitrary: fc.record({ op: fc.constantFrom('pause' as const, 'resume' as const) }) },
  { weight: 1, arbitrary: fc.record({ op: fc.constantFrom('kill' as const, 'restart' as const) }) },
);
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;
type Change = Extract<Step, { which: number }>;

/** Which status may follow which in the events of one process; 'none' is before the first one. */
const mayFollow: Record<string, string[]> = {
  none: ['PENDING', 'PROCESSING', 'FAILED'],
  PENDING: ['PENDING', 'PROCESSING', 'FAILED'],
  PROCESSING: ['PROCESSING', 'PENDING', 'FINISHED', 'FAILED'],
  FAILED: ['PENDING'],
  FINISHED: [],
  'removed PENDING': ['PENDING'],
  'removed PROCESSING': ['PENDING'],
  'removed FAILED': ['FAILED'],
  'removed FINISHED': ['FINISHED'],
};

class Use {
  queue: Queue;
  readonly acknowledged: string[] = [];
  readonly removed = new Set<string>();
  readonly finishes: string[] = [];

  constructor(queue: Queue) {
    this.queue = queue;
  }

  async perform(next: Step): Promise<void> {
    const { tasks, engine } = this.queue;
    if (next.op === 'submit') {
      const { taskId } = await tasks.submit(newTask({ priority: next.priority }));
      this.acknowledged.push(taskId);
    } else if (next.op === 'settle') this.acknowledged.forEach((id) => engine.settle(id, next.act));
    else if (next.op === 'pause') tasks.pause();
    else if (next.op === 'resume') tasks.resume();
    else if (next.op === 'kill' || next.op === 'restart') await this.reopen(next.op);
    else if ('which' in next) {
      await this.change(next.op, this.acknowledged[next.which % this.acknowledged.length] ?? 'x');
    }
    await soon(2);
    expect(this.queue.engine.maxInFlight).toBeLessThanOrEqual(2);
  }

  async change(op: Change['op'], taskId: string): Promise<void> {
    const { tasks } = this.queue;
    try {
      if (op === 'cancel') tasks.cancel(taskId);
      if (op === 'retry') tasks.retry(taskId);
      if (op === 'move') tasks.move(taskId, { place: 'first' });
      if (op === 'remove' || op === 'undo') tasks.remove(taskId);
      if (op === 'undo') tasks.restore(taskId);
      if (op === 'delete') await tasks.delete(taskId);
      if (op === 'remove' || op === 'delete') this.removed.add(taskId);
    } catch (thrown) {
      if (!(thrown instanceof EnlargerError)) throw thrown;
      expect(['CONFLICT', 'TASK_NOT_FOUND']).toContain(thrown.code);
    }
  }

  async reopen(how: 'kill' | 'restart'): Promise<void> {
    await (how === 'kill' ? this.queue.kill() : this.queue.close());
    this.checkEvents();
    this.queue = await openQueue({ dir: this.queue.folder.root, script: () => ({ do: 'hold' }) });
  }

  /** Lets everything that waits run to a good end. */
  async drain(): Promise<void> {
    this.queue.tasks.resume();
    const left = () => {
      this.acknowledged.forEach((id) => this.queue.engine.settle(id, { do: 'finish' }));
      const { PENDING, PROCESSING } = this.queue.tasks.counts();
      return PENDING + PROCESSING;
    };
    await expect.poll(left, { interval: 2, timeout: 60_000 }).toBe(0);
    await this.queue.close();
    this.checkEvents();
  }

  checkEvents(): void {
    const last = new Map<string, string>();
    for (const { task, removed } of this.queue.events) {
      const before = last.get(task.taskId) ?? 'none';
      last.set(task.taskId, removed ? `removed ${task.status}` : task.status);
      if (removed) continue;
      expect(mayFollow[before], `${before} -> ${task.status}`).toContain(task.status);
      const isEnd = task.status === 'FINISHED' && !before.startsWith('removed');
      if (isEnd) this.finishes.push(task.taskId);
    }
  }
}

describe('any use of a queue', () => {
  it('loses no acknowledged task, finishes none twice, and keeps one result of each', async () => {
    const steps = fc.array(step, { minLength: 5, maxLength: 30, size: 'max' });
    await fc.assert(
      fc.asyncProperty(steps, async (sequence) => {
        const dir = temporaryFolder();
        const use = new Use(await openQueue({ dir, script: () => ({ do: 'hold' }) }));
        for (const next of sequence) await use.perform(next);
        await use.drain();
        expect(new Set(use.finishes).size).toBe(use.finishes.length);
        const again = await openQueue({ dir, start: false });
        for (const taskId of use.acknowledged) {
          const status = again.tasks.get(taskId)?.status;
          if (use.removed.has(taskId)) expect(status).toBeUndefined();
          else expect(['FINISHED', 'FAILED']).toContain(status);
          const names = await readdir(join(dir, 'results', taskId)).catch(() => []);
          expect(names).toHaveLength(status === 'FINISHED' ? 3 : 0);
        }
        await again.close();
      }),
      { numRuns: 12 },
    );
  });
});
