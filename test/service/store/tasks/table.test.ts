import { describe, expect, it, onTestFinished } from 'vitest';
import { openConnection } from '../../../../electron/service/store/connection.ts';
import { migrate } from '../../../../electron/service/store/migrations.ts';
import { openStore } from '../../../../electron/service/store/store.ts';
import type { Task } from '../../../../electron/service/store/tasks/task.ts';
import { createTaskTable, type TaskTable } from '../../../../electron/service/store/tasks/table.ts';
import { options, report } from '../../tasks/scripted-engine.ts';

const ending = { endedAt: 5, expiresOn: 1000 };
const failing = { code: 'ENGINE_CRASHED', message: 'It crashed.', ...ending } as const;
const files = { image: { name: '1.jpg', type: 'a' }, thumb: { name: 't.jpg', type: 'a' } };

function openTasks() {
  const store = openStore(':memory:');
  onTestFinished(() => store.close());
  return store.tasks;
}

function insert(tasks: Pick<TaskTable, 'insert'>, taskId: string, priority = 0) {
  return tasks.insert({
    taskId,
    photo: taskId,
    operation: 'upscale',
    source: { kind: 'url', url: 'http://example.org/a.jpg' },
    options,
    priority,
    createdAt: 1,
    queuedOn: 2,
  });
}

const claim = (tasks: ReturnType<typeof openTasks>, alone = true, except: string[] = []) =>
  tasks.claim({ startedAt: 3 }, alone, except);

/** All that wait, in the order in which they will be taken. */
function drain(tasks: ReturnType<typeof openTasks>): string {
  let order = '';
  for (let task = claim(tasks); task; task = claim(tasks)) order += task.taskId;
  return order;
}

describe('the order of waiting tasks', () => {
  it('is priority, place, arrival', () => {
    const tasks = openTasks();
    for (const [id, priority] of [
      ['a', 0],
      ['b', 1],
      ['c', 0],
      ['d', 1],
      ['e', -3],
    ] as const) {
      insert(tasks, id, priority);
    }
    expect(drain(tasks)).toBe('bdace');
  });

  it.each([
    ['d', 'first', undefined, 'dabc'],
    ['a', 'last', undefined, 'bcda'],
    ['d', { before: 'b' }, undefined, 'adbc'],
    ['a', { after: 'c' }, undefined, 'bcad'],
    ['a', { after: 'd' }, undefined, 'bcda'],
    ['d', { before: 'a' }, undefined, 'dabc'],
    ['c', { before: 'c' }, undefined, 'abcd'],
    ['c', 'last', 5, 'cabd'],
  ] as const)('after moving %s to %j with priority %s is %s…', (id, position, priority, order) => {
    const tasks = openTasks();
    for (const taskId of 'abcd') insert(tasks, taskId);
    expect(tasks.move(id, position, priority)?.taskId).toBe(id);
    expect(drain(tasks)).toBe(order);
  });

  it("takes the neighbour's priority, and that of the queue's end", () => {
    const tasks = openTasks();
    insert(tasks, 'a', 5);
    insert(tasks, 'b', 0);
    insert(tasks, 'c', -5);
    expect(tasks.move('c', { after: 'a' }, undefined)?.priority).toBe(5);
    expect(tasks.move('b', 'first', undefined)?.priority).toBe(5);
    expect(drain(tasks)).toBe('bac');
  });

  it.each(['before', 'after'] as const)('has room for a thousand moves %s one task', (side) => {
    const tasks = openTasks();
    const ids = Array.from({ length: 200 }, (_, i) => `t${String(i).padStart(3, '0')};`);
    for (const id of ids) insert(tasks, id);
    const [beside = ''] = ids.splice(100, 1);
    const byLastMove = new Set<string>();
    for (let i = 0; i < 1000; i++) {
      const id = ids[(i * 7) % ids.length] ?? '';
      tasks.move(id, side === 'before' ? { before: beside } : { after: beside }, undefined);
      byLastMove.delete(id);
      byLastMove.add(id);
    }
    const before = side === 'before' ? [...byLastMove] : [];
    const after = side === 'after' ? [...byLastMove].reverse() : [];
    const expected = [...before, beside, ...after];
    const places = expected.map((id) => tasks.queuePositionOf(tasks.get(id)!));
    expect(places).toEqual(expected.map((_, i) => i + 1));
    expect(drain(tasks)).toBe(expected.join(''));
  });

  it('puts later arrivals behind what went back to waiting', () => {
    const tasks = openTasks();
    insert(tasks, 'a');
    insert(tasks, 'b');
    claim(tasks);
    claim(tasks, false);
    insert(tasks, 'c');
    tasks.release({ taskId: 'b', attempt: 1 });
    expect(drain(tasks)).toBe('bc');
  });

  it('knows nothing of tasks that do not wait', () => {
    const tasks = openTasks();
    insert(tasks, 'a');
    insert(tasks, 'b');
    claim(tasks);
    expect(tasks.move('a', 'first', undefined)).toBeUndefined();
    expect(tasks.move('b', { before: 'a' }, undefined)).toBeUndefined();
    expect(tasks.move('b', { before: 'nobody' }, undefined)).toBeUndefined();
  });
});

describe('a transition', () => {
  it('of a former attempt changes nothing', () => {
    const tasks = openTasks();
    insert(tasks, 'a');
    claim(tasks);
    const former = { taskId: 'a', attempt: 1 };
    tasks.release(former);
    claim(tasks);
    expect(tasks.fail(former, failing)).toBeUndefined();
    expect(
      tasks.finish({ ...former, ...ending, report: fullReport(), files, savedTo: undefined }),
    ).toBeUndefined();
    expect(tasks.engineDied(former, failing)).toBeUndefined();
    expect(tasks.get('a')).toMatchObject({ status: 'PROCESSING', attempts: 2, engineDeaths: 0 });
  });

  it('finishes once', () => {
    const tasks = openTasks();
    insert(tasks, 'a');
    claim(tasks);
    const finishing = {
      taskId: 'a',
      attempt: 1,
      ...ending,
      report: fullReport(),
      files,
      savedTo: '/x/a.jpg',
    };
    expect(tasks.finish(finishing)).toMatchObject({
      status: 'FINISHED',
      savedTo: '/x/a.jpg',
      files,
    });
    expect(tasks.finish(finishing)).toBeUndefined();
    expect(tasks.cancel('a', failing)).toBeUndefined();
    expect(tasks.retry('a', 0)).toBeUndefined();
  });

  it('fails a task at the second death of the engine, not at the first', () => {
    const tasks = openTasks();
    insert(tasks, 'a');
    claim(tasks);
    expect(tasks.engineDied({ taskId: 'a', attempt: 1 }, failing)).toMatchObject({
      status: 'PENDING',
      engineDeaths: 1,
    });
    expect(claim(tasks, false)).toBeUndefined();
    claim(tasks, true);
    const dead = tasks.engineDied({ taskId: 'a', attempt: 2 }, failing);
    expect(dead).toMatchObject({ status: 'FAILED', error: { code: 'ENGINE_CRASHED' } });
  });

  it('fails a task at the tenth death of the service, and retry forgets the deaths', () => {
    const tasks = openTasks();
    insert(tasks, 'a');
    for (let death = 1; death <= 10; death++) {
      claim(tasks);
      expect(tasks.recover(failing)).toMatchObject([
        { serviceDeaths: death, status: death < 10 ? 'PENDING' : 'FAILED' },
      ]);
    }
    expect(tasks.retry('a', 1000)).toBeUndefined();
    expect(tasks.retry('a', 999)).toMatchObject({ status: 'PENDING', serviceDeaths: 0 });
    expect(tasks.get('a')?.error).toBeUndefined();
    expect(claim(tasks)?.attempts).toBe(11);
  });

  it('keeps the counts', () => {
    const tasks = openTasks();
    for (const id of 'abcd') insert(tasks, id);
    claim(tasks);
    tasks.cancel('b', failing);
    tasks.moveToRemoved('c', 0);
    const counts = { PENDING: 1, PROCESSING: 1, FINISHED: 0, FAILED: 1, CANCELLED: 0 };
    expect(tasks.counts()).toEqual(counts);
    tasks.cancel('d', { ...failing, code: 'CANCELLED' });
    expect(tasks.counts()).toEqual({ ...counts, PENDING: 0, FAILED: 2, CANCELLED: 1 });
    tasks.retry('d', 0);
    expect(tasks.counts()).toEqual(counts);
    tasks.cancel('d', { ...failing, code: 'CANCELLED' });
    tasks.moveToRemoved('d', 0);
    expect(tasks.counts()).toEqual({ ...counts, PENDING: 0 });
    tasks.restore('d', -1);
    expect(tasks.counts()).toMatchObject({ FAILED: 2, CANCELLED: 1 });
  });
});

describe('a list', () => {
  it('goes from the newest to the oldest, by pages and by status', () => {
    const tasks = openTasks();
    for (const id of 'abcde') insert(tasks, id);
    claim(tasks);
    const ids = (found: Task[]) => found.map(({ taskId }) => taskId).join('');
    const page = tasks.list({ limit: 2 });
    expect(ids(page)).toBe('ed');
    expect(ids(tasks.list({ limit: 9, before: page.at(-1)?.seq }))).toBe('cba');
    expect(ids(tasks.list({ limit: 9, status: 'PROCESSING' }))).toBe('a');
  });
});

describe('a full disk', () => {
  it('is STORAGE_FULL, reading goes on, and it recovers', () => {
    const db = openConnection(':memory:');
    onTestFinished(() => void db.close());
    migrate(db);
    const tasks = createTaskTable(db);
    insert(tasks, 'a');
    const pages = Number(db.pragma('page_count', { simple: true }));
    db.pragma(`max_page_count = ${pages}`);
    const fill = () => {
      for (let i = 0; i < 1000; i++) insert(tasks, `more ${i}`);
    };
    expect(fill).toThrow(expect.objectContaining({ code: 'STORAGE_FULL' }));
    expect(tasks.get('a')?.status).toBe('PENDING');
    db.pragma('max_page_count = 1000000');
    expect(insert(tasks, 'later').status).toBe('PENDING');
  });
});

describe('with 100,000 waiting tasks', () => {
  it('claiming, listing and placing use an index each, and sort nothing', () => {
    const db = openConnection(':memory:');
    onTestFinished(() => void db.close());
    migrate(db);
    const plans: Record<string, string> = {};
    const seen = recordingStatements(db);
    createTaskTable(db);
    for (const text of seen) {
      const names = [...new Set(text.match(/@\w+/g))];
      const values = Object.fromEntries(names.map((name) => [name.slice(1), null]));
      const positional = (text.match(/\?/g) ?? []).map(() => null);
      const plan = db.prepare<unknown[], { detail: string }>(`EXPLAIN QUERY PLAN ${text}`);
      const rows = names.length > 0 ? plan.all(values) : plan.all(...positional);
      plans[text] = rows.map(({ detail }) => detail).join('; ');
    }
    expect(Object.keys(plans).length).toBeGreaterThan(20);
    for (const [text, plan] of Object.entries(plans)) {
      expect(plan, text).not.toMatch(
        /SCAN tasks(?! USING INDEX| USING COVERING INDEX)(?!$)|TEMP B-TREE/,
      );
    }
    expect(Object.values(plans).join()).toContain('tasks_waiting');
  });
});

function recordingStatements(db: ReturnType<typeof openConnection>): string[] {
  const seen: string[] = [];
  const prepare = db.prepare.bind(db);
  Object.assign(db, {
    prepare: (text: string) => {
      if (!text.startsWith('EXPLAIN')) seen.push(text);
      return prepare(text);
    },
  });
  return seen;
}

function fullReport() {
  const { input, output, device, timings, notes } = report();
  return { model: 'm-x2', input, output, device, timings, notes };
}
