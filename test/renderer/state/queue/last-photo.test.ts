import { beforeEach, describe, expect, it, vi } from 'vitest';
import { Chosen } from '../../../../renderer/state/queue/chosen.svelte.ts';
import { rememberPhoto, showLastPhoto } from '../../../../renderer/state/queue/last-photo.ts';
import type { Photo } from '../../../../renderer/state/photo/photo.svelte.ts';

const photo = (id: string, phase: string) =>
  ({ id, phase, versions: { key: id } }) as unknown as Photo;

beforeEach(() => {
  vi.stubGlobal('$state', { raw: (value: unknown) => value });
  const kept = new Map<string, string>();
  vi.stubGlobal('sessionStorage', {
    getItem: (name: string) => kept.get(name) ?? null,
    setItem: (name: string, value: string) => void kept.set(name, value),
  });
});

/** What is chosen after a reload of a page on which `choose` was chosen. */
function afterReload(choose: (chosen: Chosen, photos: readonly Photo[]) => void) {
  const photos = [photo('a', 'ready'), photo('b', 'ready'), photo('done', 'FINISHED')];
  const before = new Chosen();
  choose(before, photos);
  const selected = photos.find(({ id }) => id === before.focusId);
  const selection = photos.filter(({ id }) => before.ids.has(id));
  rememberPhoto({ selected, selection, chosen: before });
  const after = new Chosen();
  showLastPhoto({ photos, chosen: after });
  return { ids: [...after.ids], focusId: after.focusId, isBatch: after.isBatch };
}

describe('the photo of the stage after a reload', () => {
  it('is chosen with all others that were added with it', () => {
    const shown = afterReload((chosen, [a, b]) => {
      chosen.all([a!, b!], 'b');
      chosen.noteBatch([a!]);
    });
    expect(shown).toEqual({ ids: ['a', 'b'], focusId: 'b', isBatch: true });
  });

  it('is chosen alone where a person chose it alone', () => {
    const shown = afterReload((chosen, [, b]) => chosen.only(b!));
    expect(shown).toEqual({ ids: ['b'], focusId: 'b', isBatch: false });
  });

  it('is chosen with the others that a person chose, begun or not', () => {
    const shown = afterReload((chosen, [a, , done]) => chosen.all([a!, done!], 'done'));
    expect(shown).toEqual({ ids: ['a', 'done'], focusId: 'done', isBatch: false });
  });
});
