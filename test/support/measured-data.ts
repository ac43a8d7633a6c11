/**
 * Data folders in which the speeds of the networks that ship are known, as after a service's first minute, so that not
 * every service of a test measures them again. They are measured once for a machine, networks and onnxruntime, which
 * the engine's own keys in the files tell apart.
 */
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { createEngineHost } from '../../electron/engine/host/host.ts';
import { withLock } from '../../electron/launch/lock.mjs';
import { openCatalogue } from '../../electron/service/models/catalogue.ts';
import { cutSample } from '../../electron/service/models/cut-sample.ts';
import { embeddedNetworks, modelsDir } from './networks.ts';
import { root } from './program.ts';
import { engineProgram } from './programs.ts';
import { temporaryFolder } from './temporary-folder.ts';
import { usualSettings } from './usual-settings.ts';

const measuredCache = path.join(root, 'node_modules/.cache/enlarger-measured');
/** Holds the id of the last test run that found the cache complete. */
const checkedFile = path.join(measuredCache, 'checked');

/** A new data folder; an empty one outside of a test run. */
export async function measuredDataFolder(): Promise<string> {
  const dataDir = temporaryFolder();
  const { TEST_RUN: testRun } = process.env;
  if (testRun === undefined) return dataDir;
  await withLock(root, '.enlarger-measured', () => completeCache(testRun));
  const engineCache = path.join(dataDir, 'engine-cache');
  cpSync(measuredCache, engineCache, { recursive: true });
  rmSync(path.join(engineCache, path.basename(checkedFile)));
  return dataDir;
}

async function completeCache(testRun: string): Promise<void> {
  if (existsSync(checkedFile) && readFileSync(checkedFile, 'utf8') === testRun) return;
  const fresh = temporaryFolder();
  if (existsSync(measuredCache)) cpSync(measuredCache, fresh, { recursive: true });
  await measureAll(fresh);
  writeFileSync(path.join(fresh, path.basename(checkedFile)), testRun);
  rmSync(measuredCache, { recursive: true, force: true });
  mkdirSync(path.dirname(measuredCache), { recursive: true });
  cpSync(fresh, measuredCache, { recursive: true });
}

/** Measures what the folder does not hold yet. */
async function measureAll(cacheDir: string): Promise<void> {
  const engine = createEngineHost({
    nodePath: process.execPath,
    enginePath: engineProgram,
    cacheDir,
    log: () => undefined,
  });
  try {
    for (const network of embeddedNetworks()) await engine.measure(network, usualSettings.device);
    await cutSample(
      {
        ...{ engine, models: openCatalogue(modelsDir), scratchDir: temporaryFolder() },
        settings: () => usualSettings,
        isBusy: () => false,
        onWork: () => () => undefined,
      },
      AbortSignal.timeout(300_000),
    );
  } finally {
    await engine.close();
  }
}
