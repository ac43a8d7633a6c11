import { describe, expect, it } from 'vitest';
import { openStore } from '../../../../electron/service/store/store.ts';
import { createEventLog } from '../../../../electron/service/tasks/events/event-log.ts';
import type { Task } from '../../../../electron/service/store/tasks/task.ts';
import type { TaskEvent } from '../../../../electron/service/tasks/tasks.ts';

const task = (taskId: string, attempts = 0) => ({ taskId, attempts, status: 'PROCESSING' }) as Task;
const attemptsOf = ({ task }: TaskEvent) => ('attempts' in task ? task.attempts : Number.NaN);

function openLog() {
  const logged: string[] = [];
  const { changes } = openStore(':memory:');
  const log = createEventLog({
    changes,
    find: () => undefined,
    log: (_level, message) => logged.push(message),
  });
  return { log, logged };
}

describe('events', () => {
  it('reach the listeners of the task and of all, in order, until they end', () => {
    const { log } = openLog();
    const received: string[] = [];
    const stop = log.subscribe('a', (event) => received.push(`a${attemptsOf(event)}`));
    log.subscribe(undefined, (event) => received.push(`*${event.task.taskId}${attemptsOf(event)}`));
    log.publish(task('a', 1));
    log.publish(task('b', 2));
    stop();
    log.publish(task('a', 3));
    expect(received).toEqual(['a1', '*a1', '*b2', '*a3']);
  });

  it('go on although a listener throws', () => {
    const { log, logged } = openLog();
    const received: number[] = [];
    log.subscribe('a', () => {
      throw new Error('broken');
    });
    log.subscribe('a', (event) => received.push(attemptsOf(event)));
    log.publish(task('a', 7));
    expect(received).toEqual([7]);
    expect(logged).toHaveLength(1);
  });
});
