import { setTimeout } from 'node:timers/promises';
import { expect, it } from 'vitest';
import {
  isWorthMore,
  measureThreads,
} from '../../../../electron/engine/inference/measuring/thread-count.ts';
import {
  medianOf,
  timeAlternately,
} from '../../../../electron/engine/inference/measuring/turns.ts';
import {
  openSession,
  type Session,
} from '../../../../electron/engine/inference/sessions/session.ts';
import { nearestNetwork } from '../../../support/networks-made.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';

it('twice the threads must gain a tenth, and four times the threads a fifth', () => {
  const worth = (threads: number, ms: number) =>
    isWorthMore({ threads: 2, ms: 100 }, { threads, ms });
  expect(worth(4, 95)).toBe(false);
  expect(worth(4, 90)).toBe(true);
  expect(worth(8, 84)).toBe(false);
  expect(worth(8, 80)).toBe(true);
});

it('the median does not move with one slow turn', () => {
  expect(medianOf([5, 900, 4])).toBe(5);
  expect(medianOf([7])).toBe(7);
  expect(medianOf([])).toBe(Infinity);
});

it('candidates run in turns, after a first run of each that does not count', async () => {
  const order: string[] = [];
  const runs = ['a', 'b'].map((name) => () => Promise.resolve(order.push(name)));
  const times = await timeAlternately(runs, 2, Infinity);
  expect(order.join('')).toBe('ababab');
  expect(times.map((own) => own.length)).toEqual([2, 2]);
});

it('past the deadline the first run counts', async () => {
  const times = await timeAlternately([() => Promise.resolve()], 2, -Infinity);
  expect(times.map((own) => own.length)).toEqual([1]);
});

it('more threads that gain nothing for some seconds are compared once more', async () => {
  const network = nearestNetwork(temporaryFolder());
  const threadsOf = new Map<Session, number>();
  let runsOfMore = 0;
  const { threads, session } = await measureThreads(
    [1, 2],
    async (own) => {
      const opened = await openSession(network, 'fp32', 'cpu', own);
      threadsOf.set(opened, own);
      return opened;
    },
    async (one) => {
      if (threadsOf.get(one) === 2) runsOfMore += 1;
      const isFast = threadsOf.get(one) === 2 && runsOfMore > 6;
      await setTimeout(isFast ? 5 : 50);
    },
  );
  expect(threads).toBe(2);
  await session.close();
});

it('only the sessions of the best count stays open', async () => {
  const network = nearestNetwork(temporaryFolder());
  const closed: number[] = [];
  const { threads, session } = await measureThreads(
    [1, 2, 4],
    async (own) => {
      const opened = await openSession(network, 'fp32', 'cpu', own);
      return { ...opened, close: () => opened.close().then(() => void closed.push(own)) };
    },
    (one) => one.run(new Float32Array(3 * 64 * 64), 64, 64),
  );
  expect([1, 2, 4].filter((own) => !closed.includes(own))).toEqual([threads]);
  await session.close();
});
