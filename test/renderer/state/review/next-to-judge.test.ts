import { describe, expect, it } from 'vitest';
import type { Mark } from '../../../../packages/contract/src/task.ts';
import { nextToJudge } from '../../../../renderer/state/review/next-to-judge.ts';

const photo = (id: string, mark?: Mark, phase = 'FINISHED') => ({
  id,
  phase,
  record: mark && { mark },
});
const nextAfter = (id: string, shown: readonly ReturnType<typeof photo>[]) =>
  nextToJudge(shown, { id }, ({ record }) => record?.mark)?.id;

describe('the next photo to judge', () => {
  it('is the next one without a mark, not the next in the list', () => {
    const shown = [photo('a'), photo('b', 'accepted'), photo('c', 'rejected'), photo('d')];
    expect(nextAfter('a', shown)).toBe('d');
  });

  it('is one above where there is none below', () => {
    const shown = [photo('a', 'accepted'), photo('b'), photo('c'), photo('d', 'rejected')];
    expect(nextAfter('c', shown)).toBe('b');
  });

  it('has a result', () => {
    const shown = [photo('a'), photo('b', undefined, 'FAILED'), photo('c', undefined, 'PENDING')];
    expect(nextAfter('a', shown)).toBeUndefined();
  });

  it('is none where all others are judged', () => {
    expect(nextAfter('b', [photo('a', 'accepted'), photo('b'), photo('c', 'rejected')])).toBe(
      undefined,
    );
  });
});
