import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createBackgroundInspector } from '../../../electron/service/tasks/background-inspector.ts';
import type { Task } from '../../../electron/service/store/tasks/task.ts';
import type { TaskEvent } from '../../../electron/service/tasks/tasks.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const delayMs = 300;

/** An inspector over one task that waits, or no longer does. */
function inspectorOver(waiting: Task[]) {
  const inspected: string[] = [];
  let emit: (event: TaskEvent) => void = () => undefined;
  const inspector = createBackgroundInspector({
    inspections: {
      nextUninspected: () => waiting[0],
      saveInspection: (taskId) => {
        inspected.push(taskId);
        waiting.shift();
      },
      pendingInspections: () => [],
      openTasksOf: () => 0,
    },
    events: {
      subscribe(_taskId, listener) {
        emit = listener;
        return () => undefined;
      },
    },
    inspectSource: () => Promise.reject(new Error('It is not there.')),
    log: () => undefined,
    delayMs,
  });
  return { inspector, inspected, submit: (task: Task) => emit({ task }) };
}

const task = {
  taskId: 'one',
  status: 'PENDING',
  source: { kind: 'url', url: 'https://example.com/photo.jpg' },
} as unknown as Task;

it('inspects the picture of a task that waits', async () => {
  const waiting: Task[] = [];
  const { inspector, inspected, submit } = inspectorOver(waiting);
  waiting.push(task);
  submit(task);
  await vi.advanceTimersByTimeAsync(delayMs);
  expect(inspected).toEqual(['one']);
  await inspector.close();
});

it('leaves the picture of a task that starts at once to its job', async () => {
  const waiting: Task[] = [];
  const { inspector, inspected, submit } = inspectorOver(waiting);
  waiting.push(task);
  submit(task);
  await vi.advanceTimersByTimeAsync(delayMs / 2);
  waiting.shift();
  await vi.advanceTimersByTimeAsync(10 * delayMs);
  expect(inspected).toEqual([]);
  await inspector.close();
});
