import { expect, it } from 'vitest';
import { engineEnvironment } from '../../../electron/engine/host/engine-environment.ts';

it('lets the engine give freed memory back, unless a person said how', () => {
  expect(engineEnvironment({})).toMatchObject({ MALLOC_ARENA_MAX: '2' });
  expect(engineEnvironment({ MALLOC_ARENA_MAX: '8' })).toMatchObject({ MALLOC_ARENA_MAX: '8' });
});

it('has CUDA count cards as the system lists them, so that the chosen one is taken', () => {
  const own = { CUDA_DEVICE_ORDER: 'FASTEST_FIRST' };
  expect(engineEnvironment(own)).toMatchObject({ CUDA_DEVICE_ORDER: 'PCI_BUS_ID' });
});

it('loads no code that a person names for programs of their own, and sends nothing', () => {
  const own = {
    NODE_OPTIONS: '--require ./mine.cjs',
    NODE_PATH: '/mine',
    ELECTRON_RUN_AS_NODE: '1',
    ENLARGER_POOL_PASSWORD: 'secret',
    ORT_DISABLE_TELEMETRY: '0',
  };
  expect(engineEnvironment({ ...own, PATH: '/bin' })).toMatchObject({
    PATH: '/bin',
    ORT_DISABLE_TELEMETRY: '1',
  });
  const inherited = Object.keys(engineEnvironment(own));
  for (const name of Object.keys(own))
    if (name !== 'ORT_DISABLE_TELEMETRY') expect(inherited).not.toContain(name);
});
