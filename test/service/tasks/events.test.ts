import { describe, expect, it } from 'vitest';
import { createEventLog } from '../../../electron/service/tasks/events.ts';
import type { TaskRow } from '../../../electron/service/tasks/task-row.ts';

const task = (taskId: string, progress = 0) =>
  ({ taskId, progress, status: 'PROCESSING' }) as TaskRow;

function openLog(startedAt = 5000) {
  const logged: string[] = [];
  return { log: createEventLog(startedAt, (_level, message) => logged.push(message)), logged };
}

describe('events', () => {
  it('reach the listeners of the task and of all, in order, until they end', () => {
    const { log } = openLog();
    const heard: string[] = [];
    const stop = log.subscribe('a', ({ task }) => heard.push(`a${task.progress}`));
    log.subscribe(undefined, ({ task }) => heard.push(`*${task.taskId}${task.progress}`));
    log.publish(task('a', 1));
    log.publish(task('b', 2));
    stop();
    log.publish(task('a', 3));
    expect(heard).toEqual(['a1', '*a1', '*b2', '*a3']);
  });

  it('go on although a listener throws', () => {
    const { log, logged } = openLog();
    const heard: number[] = [];
    log.subscribe('a', () => {
      throw new Error('broken');
    });
    log.subscribe('a', ({ task }) => heard.push(task.progress));
    log.publish(task('a', 7));
    expect(heard).toEqual([7]);
    expect(logged).toHaveLength(1);
  });

  it('can be resumed after any id that is still known, and after no other', () => {
    const { log } = openLog();
    const ids: number[] = [];
    log.subscribe(undefined, ({ eventId }) => ids.push(eventId));
    for (let i = 0; i < 10; i++) log.publish(task('a', i));
    const [first = 0, second = 0] = ids;
    expect(log.since(second)?.map(({ task }) => task.progress)).toEqual([2, 3, 4, 5, 6, 7, 8, 9]);
    expect(log.since(ids.at(-1) ?? 0)).toEqual([]);
    for (const foreign of [first - 1, (ids.at(-1) ?? 0) + 1, 0, 17, NaN, 1.5]) {
      expect(log.since(foreign)).toBeUndefined();
    }
    for (let i = 0; i < 5000; i++) log.publish(task('b', i));
    expect(log.since(second)).toBeUndefined();
    expect(log.since((ids.at(-1) ?? 0) - 1)?.map(({ task }) => task.progress)).toEqual([4999]);
    expect(log.since((ids.at(-1) ?? 0) - 4096)).toHaveLength(4096);
    expect(log.since((ids.at(-1) ?? 0) - 4097)).toBeUndefined();
  });

  it('of a former process are never taken for ours', () => {
    const former = openLog(5000).log;
    const ids: number[] = [];
    former.subscribe(undefined, ({ eventId }) => ids.push(eventId));
    for (let i = 0; i < 100; i++) former.publish(task('a', i));
    const { log } = openLog(6000);
    log.publish(task('a'));
    for (const id of ids) expect(log.since(id)).toBeUndefined();
  });
});
