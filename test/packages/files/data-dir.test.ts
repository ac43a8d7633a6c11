import path from 'node:path';
import { expect, it } from 'vitest';
import { programs } from '../../../electron/programs.ts';
import { connect } from '../../../packages/command-line/src/connect.ts';
import { readDataDir, defaultDataDir } from '../../../packages/files/src/data-dir.ts';

it('is the usual one unless another is named, and never none', async () => {
  expect(readDataDir(undefined)).toBe(defaultDataDir());
  expect(readDataDir('data')).toBe(path.resolve('data'));
  const { signal } = new AbortController();
  const empty = { programUrl: import.meta.url, programs, dataDir: '', signal };
  await expect(connect(empty)).rejects.toThrow(
    'Expected the data folder to be a whole path but received "". Name one with --data-dir.',
  );
});
