import { expect, it } from 'vitest';
import { engineEnvironment } from '../../../electron/engine/hosting/engine-environment.ts';

it('lets the engine give freed memory back, unless a person said how', () => {
  expect(engineEnvironment({})).toMatchObject({ MALLOC_ARENA_MAX: '2' });
  expect(engineEnvironment({ MALLOC_ARENA_MAX: '8' })).toMatchObject({ MALLOC_ARENA_MAX: '8' });
});
