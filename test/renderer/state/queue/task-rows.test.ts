import { describe, expect, it } from 'vitest';
import { TaskIndex } from '../../../../renderer/state/queue/task-rows.ts';

describe('reading a task again', () => {
  it('reads once more when the task changed while it was read', async () => {
    const index = new TaskIndex();
    const seen: string[] = [];
    let status = 'PENDING';
    const read = async () => {
      const answer = status;
      await Promise.resolve();
      seen.push(answer);
    };
    const first = index.read('task', read);
    status = 'FAILED';
    await index.read('task', read);
    await index.read('task', read);
    await first;
    expect(seen).toEqual(['PENDING', 'FAILED']);
  });

  it('reads once more when an event came while it was read', async () => {
    const index = new TaskIndex();
    let reads = 0;
    const reading = index.read('task', async () => {
      reads += 1;
      await Promise.resolve();
    });
    expect(index.touch('task')).toBe(true);
    expect(index.touch('another')).toBe(false);
    await reading;
    expect(reads).toBe(2);
  });

  it('reads again after one that threw', async () => {
    const index = new TaskIndex();
    const broken = index.read('task', () => Promise.reject(new Error('gone')));
    await expect(broken).rejects.toThrow('gone');
    let reads = 0;
    await index.read('task', () => Promise.resolve(void (reads += 1)));
    expect(reads).toBe(1);
  });
});
