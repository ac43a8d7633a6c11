import { describe, expect, it, onTestFinished } from 'vitest';
import type { PowerAndActivity } from '../../../packages/contract/src/settings/settings.ts';
import {
  powerAndActivityOf,
  reportPowerAndActivity,
} from '../../../electron/desktop/service/power-and-activity.ts';

const seen = { onBattery: false, idleSeconds: 0, isFocused: false };

describe('where a person works', () => {
  it.each([
    ['in another program', seen, true],
    ['in Enlarger', { ...seen, isFocused: true }, false],
    ['nowhere', { ...seen, idleSeconds: 600 }, false],
  ])('%s', (_, machine, personElsewhere) => {
    expect(powerAndActivityOf(machine)).toEqual({ onBattery: false, personElsewhere });
  });
});

it('tells the service at once, on a change of power, and again though it did not answer', async () => {
  const told: PowerAndActivity[] = [];
  const failures: unknown[] = [];
  let onBattery = false;
  let changed = (): void => undefined;
  const watch = reportPowerAndActivity({
    see: () => ({ ...seen, onBattery }),
    tell(surroundings) {
      told.push(surroundings);
      return told.length === 1 ? Promise.reject(new Error('away')) : Promise.resolve();
    },
    onPower: (listener) => (changed = listener),
    log: (error) => failures.push(error),
    everyMs: 10,
  });
  onTestFinished(() => watch.close());
  expect(told).toHaveLength(1);
  onBattery = true;
  changed();
  expect(told.at(-1)?.onBattery).toBe(true);
  await expect.poll(() => told.length).toBeGreaterThan(3);
  expect(failures).toHaveLength(1);
});
