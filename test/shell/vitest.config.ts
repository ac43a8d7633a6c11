import path from 'node:path';
import { defineConfig } from 'vitest/config';
import { noTelemetry } from '../../electron/engine/host/engine-environment.ts';

export default defineConfig({
  root: path.resolve(import.meta.dirname, '../..'),
  test: {
    include: ['test/shell/*.test.ts'],
    setupFiles: ['test/support/setup.ts'],
    reporters: ['verbose'],
    // Each file opens a display and an application of its own.
    fileParallelism: false,
    testTimeout: 300_000,
    hookTimeout: 400_000,
    expect: { poll: { timeout: 30_000 } },
    env: { ...noTelemetry },
  },
});
