import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createIdleUnloading } from '../../../../electron/engine/inference/sessions/idle-unloading.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

it('unloads once after five minutes in which nothing ran', () => {
  const unload = vi.fn();
  const idle = createIdleUnloading(unload);
  idle.touch();
  vi.advanceTimersByTime(4 * 60_000);
  idle.touch();
  vi.advanceTimersByTime(299_000);
  expect(unload).not.toHaveBeenCalled();
  vi.advanceTimersByTime(60_000 * 60);
  expect(unload).toHaveBeenCalledTimes(1);
});

it('unloads after the time that was said last, and at once for 0', () => {
  const unload = vi.fn();
  const idle = createIdleUnloading(unload);
  idle.touch(1000);
  idle.touch();
  vi.advanceTimersByTime(1000);
  expect(unload).toHaveBeenCalledTimes(1);
  idle.touch(0);
  vi.advanceTimersByTime(1);
  expect(unload).toHaveBeenCalledTimes(2);
});
