import { describe, expect, it } from 'vitest';
import type { Client } from '../../../../packages/api-client/src/client.ts';
import type { Preparation } from '../../../../renderer/state/estimate/preparation.ts';
import type { Photo } from '../../../../renderer/state/photo/photo.svelte.ts';
import type { PhotoList } from '../../../../renderer/state/queue/photo-list.svelte.ts';
import { TaskIndex, TaskRows } from '../../../../renderer/state/queue/task-rows.ts';

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

describe('a listing of all tasks that is answered late', () => {
  it('leaves a row that was removed and taken back, before an event tells it', async () => {
    const { rows, list, photo, answer } = beginListing();
    list.photos = [];
    rows.byTask.delete('task');
    rows.own(photo, 'task');
    list.photos = [photo];
    await answer();
    expect(list.photos).toEqual([photo]);
    expect(rows.byTask.get('task')).toBe(photo);
  });

  it('forgets the task of a row that it leaves out, whose next event makes it anew', async () => {
    const { rows, list, answer } = beginListing();
    await answer();
    expect(list.photos).toEqual([]);
    expect(rows.byTask.get('task')).toBeUndefined();
  });
});

/** Begins to list while there is one row; the answer, without its task, is held back. */
function beginListing() {
  const photo = { taskId: 'task', versions: {} } as unknown as Photo;
  const listed = Promise.withResolvers<{ tasks: [] }>();
  const client = { list: () => listed.promise, record: () => new Promise(() => undefined) };
  const list = { photos: [photo] };
  const rows = new TaskRows(
    client as unknown as Client,
    list as unknown as PhotoList,
    {} as unknown as Preparation,
  );
  rows.byTask.set('task', photo);
  const loading = rows.load();
  const answer = () => {
    listed.resolve({ tasks: [] });
    return loading;
  };
  return { rows, list, photo, answer };
}
