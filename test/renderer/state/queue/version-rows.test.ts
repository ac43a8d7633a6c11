import { describe, expect, it } from 'vitest';
import type { Mark } from '../../../../packages/contract/src/task.ts';
import {
  acceptedOf,
  baseOf,
  byCreation,
  currentOf,
  keeperOf,
  passedOver,
  planConversion,
  toCheckOf,
  verdictOf,
  withoutCopies,
} from '../../../../renderer/state/queue/version-rows.ts';

interface Version {
  id: string;
  isActive: boolean;
  record?: { createdAt: string; operation?: string };
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

  it('is none that was cancelled, unless nothing else is left of the photo', () => {
    const cancelled = { ...version('cancelled', '2026-01-03'), isCancelled: true };
    expect(currentOf([version('done', '2026-01-01'), cancelled])?.id).toBe('done');
    expect(currentOf([cancelled])?.id).toBe('cancelled');
  });
});

describe('copies in other formats', () => {
  const made = (id: string, operation: string, mark?: Mark) => ({
    ...{ id, isActive: false, phase: 'FINISHED' },
    record: { createdAt: '', operation, ...(mark && { mark }) },
  });

  it('are neither what the row shows nor what Save all saves, nor hide what was accepted', () => {
    const members = [made('result', 'upscale', 'accepted'), made('copy', 'convert')];
    expect(withoutCopies(members).map(({ id }) => id)).toEqual(['result']);
    expect(currentOf(members)?.id).toBe('result');
    expect(keeperOf(members)?.id).toBe('result');
    expect(keeperOf([made('rejected', 'upscale', 'rejected'), made('copy', 'convert')])).toBe(
      undefined,
    );
  });

  it('stand for the photo where nothing else is left of it', () => {
    expect(currentOf([made('copy', 'convert')])?.id).toBe('copy');
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

describe('the version of a photo that is saved', () => {
  const result = (id: string, mark?: Mark, phase = 'FINISHED') => ({
    id,
    phase,
    record: mark === undefined ? {} : { mark },
  });
  const kept = (...members: ReturnType<typeof result>[]) => keeperOf(members)?.id;

  it('is the latest, and not the first that it corrects', () => {
    expect(kept(result('wrong'), result('corrected'))).toBe('corrected');
    expect(kept(result('done'), result('again', undefined, 'PROCESSING'))).toBe('done');
  });

  it('is the accepted one, whatever came later', () => {
    expect(kept(result('good', 'accepted'), result('later'))).toBe('good');
    expect(kept(result('good', 'accepted'), result('later', 'rejected'))).toBe('good');
    expect(acceptedOf([result('good', 'accepted'), result('later')])?.id).toBe('good');
    expect(acceptedOf([result('good'), result('later', 'rejected')])).toBeUndefined();
  });

  it('is no rejected one', () => {
    expect(kept(result('good'), result('later', 'rejected'))).toBe('good');
    expect(kept(result('wrong', 'rejected'), result('corrected'))).toBe('corrected');
    expect(kept(result('wrong', 'rejected'), result('again', 'rejected'))).toBeUndefined();
    expect(kept()).toBeUndefined();
  });
});

describe('the mark of a photo', () => {
  const result = (mark?: Mark, phase = 'FINISHED') => ({
    ...{ phase, isActive: phase !== 'FINISHED' },
    record: mark === undefined ? {} : { mark },
  });

  it('is that of the version that counts, and not of the one that was judged last', () => {
    expect(verdictOf([result('accepted'), result('rejected')])).toBe('accepted');
    expect(verdictOf([result(), result('rejected')])).toBeUndefined();
    expect(verdictOf([result('accepted'), result()])).toBe('accepted');
  });

  it('says that it was rejected where each result is, and none is being made', () => {
    expect(verdictOf([result('rejected'), result('rejected')])).toBe('rejected');
    expect(verdictOf([result('rejected'), result(undefined, 'PROCESSING')])).toBeUndefined();
    expect(verdictOf([])).toBeUndefined();
  });
});

describe('what Save as writes', () => {
  const listed = ['good', 'wrong', 'newer'];
  const keepers: Record<string, string> = { good: 'good', newer: 'older' };
  const plan = (chosen: string[], isAllChosen = false, rows = listed) =>
    planConversion({ chosen, listed: rows, isAllChosen }, (row) => keepers[row]);

  it('is what Save all saves, without what was rejected, also where one or all are chosen', () => {
    expect(plan([])).toEqual(['good', 'older']);
    expect(plan(['newer'])).toEqual(['good', 'older']);
    expect(plan(listed, true)).toEqual(['good', 'older']);
  });

  it('is what was chosen on purpose, or listed, though it was rejected', () => {
    expect(plan(['wrong', 'newer'])).toEqual(['wrong', 'newer']);
    expect(plan([], false, ['wrong'])).toEqual(['wrong']);
  });
});

describe('the version to check', () => {
  const notes = ['JPEG holds no grey.'];
  const result = (id: string, record: object) => ({
    id,
    phase: 'FINISHED',
    record: { notes: [], ...record } as { grade?: 'look'; notes: string[]; mark?: Mark },
  });
  const toCheck = (...members: ReturnType<typeof result>[]) => toCheckOf(members)?.id;

  it('is the one to save, where its grade or notes say so', () => {
    expect(toCheck(result('unsure', { grade: 'look' }))).toBe('unsure');
    expect(toCheck(result('noted', { notes }))).toBe('noted');
    expect(toCheck(result('good', {}))).toBeUndefined();
    expect(toCheck(result('unsure', { grade: 'look' }), result('good', {}))).toBeUndefined();
  });

  it('is none once the photo has an accepted one, or no other than rejected ones', () => {
    const unsure = result('unsure', { grade: 'look' });
    const rejected = result('rejected', { grade: 'look', mark: 'rejected' });
    expect(toCheck(result('accepted', { mark: 'accepted' }), unsure)).toBeUndefined();
    expect(toCheck(rejected)).toBeUndefined();
    expect(toCheck(unsure, rejected)).toBe('unsure');
  });
});

it('the next version begins with the settings of the picked one, else of the one that was made last', () => {
  const members = [version('first'), version('second')];
  expect(baseOf({ picked: undefined }, members)?.id).toBe('second');
  expect(baseOf({ picked: members[0] }, members)?.id).toBe('first');
  expect(baseOf<Version>({ picked: undefined }, [])).toBeUndefined();
});

describe('the accepted version that a save passed over', () => {
  const made = (id: string, isUnsaved: boolean, mark?: Mark) => ({
    ...{ id, isActive: false, phase: 'FINISHED', isUnsaved },
    record: { createdAt: '', operation: 'upscale', ...(mark && { mark }) },
  });
  const shown = made('shown', false);

  it('is the one that is saved nowhere', () => {
    expect(passedOver(shown, [made('good', true, 'accepted'), shown])?.id).toBe('good');
  });

  it('is none once it is saved, where none is accepted, and where it was the one that was saved', () => {
    expect(passedOver(shown, [made('good', false, 'accepted'), shown])).toBeUndefined();
    expect(passedOver(shown, [made('other', true), shown])).toBeUndefined();
    const good = made('good', true, 'accepted');
    expect(passedOver(good, [good, shown])).toBeUndefined();
  });
});
