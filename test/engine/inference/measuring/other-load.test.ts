import { expect, it } from 'vitest';
import {
  measureOtherLoad,
  speedWithoutOthers,
} from '../../../../electron/engine/inference/measuring/other-load.ts';

const times = (busyMs: number, idleMs: number, ownMs: number) => ({
  busyMs,
  totalMs: busyMs + idleMs,
  ownMs,
});

it.each([
  ['nothing else runs', times(2000, 0, 1990), 0.005],
  ['others take half of the processors', times(2000, 0, 1000), 0.5],
  ['the processors idle', times(0, 2000, 0), 0],
  ['the clock of the system is coarser than that of the process', times(1000, 1000, 1010), 0],
  ['no time passed', times(0, 0, 0), 0],
])('the load of other programs while %s', (_, passed, expected) => {
  const start = times(50_000, 70_000, 9000);
  const end = {
    busyMs: start.busyMs + passed.busyMs,
    totalMs: start.totalMs + passed.totalMs,
    ownMs: start.ownMs + passed.ownMs,
  };
  const readings = [start, end];
  const load = measureOtherLoad(() => readings.shift() ?? end);
  expect(load()).toBeCloseTo(expected);
});

it('this machine has no more than all of its processors', () => {
  const load = measureOtherLoad()();
  expect(load).toBeGreaterThanOrEqual(0);
  expect(load).toBeLessThanOrEqual(1);
});

it.each([
  ['others take three quarters of the processors', 0.75, 4],
  ['nothing else runs', 0, 1],
  ['others seem to take all of them', 1, 10],
])('a speed that was measured while %s is corrected', (_, otherLoad, factor) => {
  expect(speedWithoutOthers(0.05, otherLoad)).toBeCloseTo(factor * 0.05);
});
