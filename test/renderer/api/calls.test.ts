import { ApiError } from '../../../packages/api-client/src/transport.ts';
import { eachConcurrently, refusalIn, refusalOf } from '../../../renderer/api/calls.svelte.ts';
import { describe, expect, it } from 'vitest';

describe('calls, several at a time,', () => {
  it('begin in order, and only so many at a time', async () => {
    const begun: number[] = [];
    let atOnce = 0;
    let most = 0;
    await eachConcurrently([1, 2, 3, 4, 5], 2, async (item) => {
      begun.push(item);
      most = Math.max(most, ++atOnce);
      await new Promise((resolve) => setTimeout(resolve, 1));
      atOnce -= 1;
    });
    expect([begun, most]).toEqual([[1, 2, 3, 4, 5], 2]);
  });
});

it('tells a request that is refused from settings that do not go together', async () => {
  const invalid = new ApiError('INVALID_REQUEST', 'Expected.');
  const refuse = () => Promise.reject(invalid);
  expect(refusalOf(invalid)).toEqual({ code: 'INVALID_REQUEST', message: 'Expected.' });
  expect(await refusalIn(refuse)).toEqual({ code: 'REFUSED', message: 'Expected.' });
  expect((await refusalIn(refuse, 'NO_FOLDER'))?.code).toBe('NO_FOLDER');
  expect(refusalOf(new ApiError('CONFLICT', 'Expected.'), 'NO_FOLDER').code).toBe('CONFLICT');
  expect(() => refusalOf(new Error('A fault.'))).toThrow('A fault.');
  expect(await refusalIn(() => Promise.resolve())).toBeUndefined();
});
