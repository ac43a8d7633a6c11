import { expect, it } from 'vitest';
import { ReadingsUnderWay } from '../../../../renderer/state/queue/changes-meanwhile.ts';

it('a reading is told what changed until its answer was here, and nothing of before or after', async () => {
  const readings = new ReadingsUnderWay();
  const first = Promise.withResolvers<string>();
  readings.note({ taskId: 'before' });
  const reading = readings.during(() => first.promise);
  readings.note({ taskId: 'done' });
  const [, ofSecond] = await readings.during(() => {
    readings.note({ taskId: 'gone', removed: true });
    return Promise.resolve('second');
  });
  first.resolve('first');
  const [answer, ofFirst] = await reading;
  readings.note({ taskId: 'after' });
  expect(answer).toBe('first');
  expect([...ofFirst.keys()]).toEqual(['done', 'gone']);
  expect([...ofSecond.keys()]).toEqual(['gone']);
  expect(ofFirst.get('gone')?.removed).toBe(true);
});

it('a reading that fails is told of nothing any more', async () => {
  const readings = new ReadingsUnderWay();
  await expect(readings.during(() => Promise.reject(new Error('gone')))).rejects.toThrow('gone');
  readings.note({ taskId: 'later' });
  const [, meanwhile] = await readings.during(() => Promise.resolve());
  expect(meanwhile.size).toBe(0);
});
