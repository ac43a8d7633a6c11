import { expect, it } from 'vitest';
import { staysOn } from '../../../../renderer/state/viewer/before-press.ts';

it.each([
  ['a click', false, 1120, true],
  ['the next click', true, 1120, false],
  ['a hold', false, 1800, false],
  ['a hold after a click', true, 1800, false],
])('shows the original after %s or not', (_, wasOn, releasedMs, isOn) => {
  expect(staysOn({ fromMs: 1000, wasOn }, releasedMs)).toBe(isOn);
});
