import { expect, it } from 'vitest';
import { clearAway, renameWithRetry } from '../../../packages/files/src/clear-away.ts';

const held = () => Object.assign(new Error('EBUSY: held'), { code: 'EBUSY' });

it('what cannot be removed now harms nothing, and is removed later', async () => {
  let tries = 0;
  const remove = () => {
    tries += 1;
    return tries < 3 ? Promise.reject(held()) : Promise.resolve();
  };
  await clearAway('scratch', { remove, againAfterMs: [5, 5, 5] });
  expect(tries).toBe(1);
  await expect.poll(() => tries).toBe(3);
});

it('a file that somebody holds for a moment is renamed after it', async () => {
  let tries = 0;
  const once = () => {
    tries += 1;
    return tries < 3 ? Promise.reject(held()) : Promise.resolve();
  };
  await renameWithRetry('a', 'b', once);
  expect(tries).toBe(3);
  const gone = Object.assign(new Error('ENOENT'), { code: 'ENOENT' });
  await expect(renameWithRetry('a', 'b', () => Promise.reject(gone))).rejects.toBe(gone);
});
