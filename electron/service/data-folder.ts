/** The data folder: what lies where, who holds it, and service.json, by which other programs find the service. */
import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { isAbsolute, join, resolve } from 'node:path';
import { faultOf } from '../contract/faults.ts';
import { makeLevels } from '../files/make-levels.ts';
import { takeFileLock } from './store/connection.ts';

/** Absolute paths. */
interface DataPaths {
  root: string;
  uploads: string;
  sources: string;
  scratch: string;
  results: string;
  /** Models that a person added. */
  models: string;
  /** Libraries of devices that a person added. */
  devices: string;
  engineCache: string;
  serviceFile: string;
  keyFile: string;
}

interface ServiceInfo {
  url: string;
  pid: number;
  version: string;
}

export interface DataFolder extends DataPaths {
  /** Written whole or not at all; readable by its user only. */
  writeServiceFile(info: ServiceInfo): void;
  /** Removes service.json and lets the folder go. */
  close(): void;
}

/** Another service holds the data folder. */
export class DataFolderHeld extends Error {}

function dataPathsOf(dataDir: string): DataPaths {
  const root = resolve(dataDir);
  return {
    root,
    uploads: join(root, 'uploads'),
    sources: join(root, 'sources'),
    scratch: join(root, 'scratch'),
    results: join(root, 'results'),
    models: join(root, 'models'),
    devices: join(root, 'devices'),
    engineCache: join(root, 'engine-cache'),
    serviceFile: join(root, 'service.json'),
    keyFile: join(root, 'cli.key'),
  };
}

/**
 * Makes the folder when it is missing and holds it for this process until close(). The operating system lets
 * go of it when the process ends in any way. Throws a sentence that names the holder when there is one.
 */
export function openDataFolder(dataDir: string): DataFolder {
  assertAbsolute(dataDir);
  const paths = dataPathsOf(dataDir);
  const { root, uploads, sources, scratch, results, models, engineCache } = paths;
  const lock = usable(root, () => {
    for (const folder of [root, uploads, sources, scratch, results, models, engineCache])
      makeLevels(folder, 0o700);
    return takeFileLock(join(root, 'service.lock'));
  });
  if (!lock) throw new DataFolderHeld(heldSentence(paths));
  rmSync(paths.serviceFile, { force: true });
  return {
    ...paths,
    writeServiceFile(info) {
      const temporary = `${paths.serviceFile}.part`;
      writeFileSync(temporary, `${JSON.stringify(info)}\n`, { mode: 0o600 });
      renameSync(temporary, paths.serviceFile);
    },
    close() {
      rmSync(paths.serviceFile, { force: true });
      lock.release();
    },
  };
}

/** An empty or a relative one would be wherever the program was started, such as a checkout. */
function assertAbsolute(dataDir: string): void {
  if (isAbsolute(dataDir)) return;
  throw new Error(
    `Expected the data folder to be a whole path but received ${JSON.stringify(dataDir)}. Name one with --data-dir.`,
  );
}

/** Throws a sentence where the system says no. */
function usable<T>(root: string, open: () => T): T {
  try {
    return open();
  } catch (error) {
    const why = `The data folder ${root} cannot be used: ${faultOf(error)}.`;
    throw new Error(`${why} Choose another one with --data-dir.`, { cause: error });
  }
}

/** What service.json says, or undefined when it is not there or not whole. */
export function readServiceFile(dataDir: string): ServiceInfo | undefined {
  try {
    const found: unknown = JSON.parse(readFileSync(dataPathsOf(dataDir).serviceFile, 'utf8'));
    return isServiceInfo(found) ? found : undefined;
  } catch {
    return undefined;
  }
}

function isServiceInfo(found: unknown): found is ServiceInfo {
  if (typeof found !== 'object' || found === null) return false;
  const { url, pid, version } = found as Record<string, unknown>;
  return typeof url === 'string' && typeof pid === 'number' && typeof version === 'string';
}

function heldSentence(paths: DataPaths): string {
  const holder = readServiceFile(paths.root);
  const who = holder
    ? `process ${holder.pid} at ${holder.url}`
    : 'another process that is just starting';
  return (
    `The data folder ${paths.root} is in use by another Enlarger service (${who}). ` +
    'Stop that one, or start this one with another --data-dir.'
  );
}
