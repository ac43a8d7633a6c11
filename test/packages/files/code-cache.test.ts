import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { codeCacheIn } from '../../../packages/files/src/code-cache.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { cliProgram } from '../../support/programs.ts';

const ask = (dataDir: string, ...words: string[]) => {
  const run = spawnSync(process.execPath, [cliProgram, ...words, '--data-dir', dataDir], {
    encoding: 'utf8',
    env: { ...process.env, NODE_COMPILE_CACHE: undefined },
  });
  return { status: run.status, cache: codeCacheIn(path.join(dataDir, 'engine-cache')) };
};

describe('the code cache of the command line', () => {
  it('is kept in the data folder that is named, for its owner alone', () => {
    const dataDir = temporaryFolder();
    mkdirSync(path.join(dataDir, 'engine-cache'));
    const { status, cache } = ask(dataDir, 'models', 'list');
    expect(status).toBe(0);
    expect(readdirSync(cache, { recursive: true }).length).toBeGreaterThan(10);
    if (process.platform !== 'win32') expect(statSync(cache).mode & 0o022).toBe(0);
  });

  it('makes no data folder where a command makes none', () => {
    const dataDir = path.join(temporaryFolder(), 'none');
    expect(ask(dataDir, 'keys', '--url', 'http://127.0.0.1:9').status).not.toBe(0);
    expect(existsSync(dataDir)).toBe(false);
  });
});
