import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { Problem } from '../../../../renderer/api/calls.svelte.ts';
import { Saver } from '../../../../renderer/state/export/saver.svelte.ts';
import type { Photo } from '../../../../renderer/state/photo/photo.svelte.ts';

type Parts = ConstructorParameters<typeof Saver>;

// Svelte compiles its runes away, and no component looks at this state.
beforeEach(() => void vi.stubGlobal('$state', { raw: (value: unknown) => value }));
afterEach(() => void vi.unstubAllGlobals());

it('says no longer that something was not saved once it is saved', async () => {
  const queue = {
    ...{ selection: [], destinationOf: () => '/out', lastFolder: '' },
    destination: { pass: () => Promise.resolve(true) },
    problem: undefined as Problem | undefined,
  };
  let save = () => Promise.reject(new Error('The disk is full.'));
  const remembered = { newPhotos: { saveTo: '/out', onConflict: 'rename', onlyAccepted: false } };
  const calls = { save: () => save() };
  const saver = new Saver(...([queue, remembered, calls] as unknown as Parts));
  const photo = { versions: {}, record: { imageUrl: '/result', options: {} } } as unknown as Photo;
  expect(await saver.save([photo])).toBe(false);
  expect(queue.problem?.code).toBe('CANNOT_WRITE');
  save = () => Promise.resolve({ savedTo: '/out/a.jpg' } as never);
  expect(await saver.save([photo])).toBe(true);
  expect(queue.problem).toBeUndefined();
});
