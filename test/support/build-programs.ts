/** Before all tests: bundles the programs that tests start, unless they are newer than their sources. */
import { readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { build } from 'vite';
import { packageSources } from '../../electron/launch/build.mjs';
import { newestMs } from '../../electron/launch/newest.mjs';
import { withLock } from '../../electron/launch/lock.mjs';
import { root } from './program.ts';
import { programsDir } from './programs.ts';

const sources = [
  'electron',
  ...packageSources(root),
  'package.json',
  'test/support/build-programs.ts',
  'test/support/small-installation.ts',
  'test/service/tasks/killed-queue.ts',
  'test/service/tasks/scripted-engine.ts',
];

const input = {
  headless: 'electron/headless.ts',
  cli: 'electron/cli.ts',
  engine: 'electron/engine/main.ts',
  inference: 'electron/engine/inference/worker.ts',
  foreign: 'packages/photo-files/src/foreign/worker.ts',
  importer: 'electron/engine/importing/main.ts',
  'small-installation': 'test/support/small-installation.ts',
  'killed-queue': 'test/service/tasks/killed-queue.ts',
};

export async function setup(): Promise<void> {
  await withLock(root, '.enlarger-test-programs', async () => {
    if (isStale()) await buildPrograms();
  });
}

function isStale(): boolean {
  const built = statSync(path.join(programsDir, 'engine.js'), { throwIfNoEntry: false });
  if (built === undefined) return true;
  return sources.some((name) => newestMs(path.join(root, name)) > built.mtimeMs);
}

async function buildPrograms(): Promise<void> {
  const { dependencies } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')) as {
    dependencies: Record<string, string>;
  };
  await build({
    root,
    configFile: false,
    logLevel: 'error',
    ssr: { noExternal: true, external: Object.keys(dependencies) },
    build: {
      ssr: true,
      target: 'node24',
      outDir: programsDir,
      emptyOutDir: true,
      minify: false,
      rolldownOptions: {
        input,
        output: { entryFileNames: '[name].js', chunkFileNames: '[name]-[hash].js' },
      },
    },
  });
}
