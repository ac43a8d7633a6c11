import { ApiError } from '../../../packages/api-client/src/transport.ts';
import {
  eachConcurrently,
  folderProblemOf,
  refusalIn,
} from '../../../renderer/api/calls.svelte.ts';
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
  const refused = (code: string) =>
    refusalIn(() => Promise.reject(new ApiError(code, 'Expected.')));
  const problem = await refused('INVALID_REQUEST');
  expect(problem).toEqual({ code: 'REFUSED', message: 'Expected.' });
  expect(folderProblemOf(problem!).code).toBe('NO_FOLDER');
  expect((await refused('CONFLICT'))?.code).toBe('CONFLICT');
  expect(await refusalIn(() => Promise.resolve())).toBeUndefined();
});
