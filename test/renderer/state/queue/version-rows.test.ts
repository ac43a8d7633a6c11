import { describe, expect, it } from 'vitest';
import { byCreation, currentOf } from '../../../../renderer/state/queue/version-rows.ts';

interface Version {
  id: string;
  isActive: boolean;
  record?: { createdAt: string };
}

const version = (id: string, createdAt?: string, isActive = false): Version => ({
  id,
  isActive,
  ...(createdAt !== undefined && { record: { createdAt } }),
});

describe('the version whose state a photo has', () => {
  it('is the newest', () => {
    const members = [version('first', '2026-01-01'), version('second', '2026-01-02')];
    expect(currentOf(members)?.id).toBe('second');
    expect(currentOf<Version>([])).toBeUndefined();
  });

  it('is the one that runs, also where it is not the newest', () => {
    const members = [version('first', '2026-01-01', true), version('second', '2026-01-02')];
    expect(currentOf(members)?.id).toBe('first');
  });
});

describe('the order of versions', () => {
  it('is that of their creation, with those last that are not sent yet', () => {
    const members = [
      version('sending'),
      version('second', '2026-01-02'),
      version('first', '2026-01-01'),
    ];
    expect(byCreation(members).map(({ id }) => id)).toEqual(['first', 'second', 'sending']);
  });
});
