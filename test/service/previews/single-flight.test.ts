import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { EnlargerError } from '../../../packages/contract/src/errors.ts';
import { EngineDied } from '../../../electron/engine/host/host.ts';
import { createSingleFlight } from '../../../electron/service/previews/single-flight.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

describe('a file that is made when it is wanted', () => {
  it('is made once, however many ask at the same time', async () => {
    const file = path.join(temporaryFolder(), 'below', 'thumb');
    const made = createSingleFlight(2);
    let times = 0;
    const make = () => {
      times += 1;
      return writeFile(file, 'x');
    };
    await Promise.all([made.need(file, make), made.need(file, make), made.need(file, make)]);
    await made.need(file, make);
    expect(times).toBe(1);
  });

  it('is not tried again when the picture is why it failed', async () => {
    const file = path.join(temporaryFolder(), 'thumb');
    const failures = [
      new EngineDied('hang', false, 'It hung.'),
      new EnlargerError('UNREADABLE_IMAGE', 'It is cut short.'),
    ];
    for (const [i, failure] of failures.entries()) {
      const made = createSingleFlight(1);
      let times = 0;
      const make = () => {
        times += 1;
        return Promise.reject(failure);
      };
      await expect(made.need(`${file}${i}`, make)).rejects.toMatchObject({ code: 'NOT_FOUND' });
      await expect(made.need(`${file}${i}`, make)).rejects.toMatchObject({ code: 'NOT_FOUND' });
      expect(times).toBe(1);
    }
  });

  it('is tried again when something else was why', async () => {
    const file = path.join(temporaryFolder(), 'thumb');
    const made = createSingleFlight(1);
    const full = () => Promise.reject(new EnlargerError('STORAGE_FULL', 'The disk is full.'));
    await expect(made.need(file, full)).rejects.toThrow('The disk is full.');
    await made.need(file, () => writeFile(file, 'x'));
  });

  it.each([
    ['a source that left while it was read', fileError('ENOENT'), 'NOT_FOUND'],
    ['a time limit', new DOMException('late', 'TimeoutError'), 'NOT_FOUND'],
    ['a full disk', fileError('ENOSPC'), 'STORAGE_FULL'],
    ['a fault of ours', new TypeError('x is not a function'), 'INTERNAL'],
  ])('refuses for %s', async (_what, cause, code) => {
    const made = createSingleFlight(1);
    const file = path.join(temporaryFolder(), 'thumb');
    await expect(made.need(file, () => Promise.reject(cause))).rejects.toMatchObject({ code });
  });
});

function fileError(code: string): Error {
  return Object.assign(new Error(code), { code });
}
