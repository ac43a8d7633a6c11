/** The data folder has its parts in fixed places, and is held by one service. */
import { join, resolve } from 'node:path';
import { faultOf } from '../contract/faults.ts';
import { assertWholePath } from '../files/data-dir.ts';
import { makeLevels } from '../files/make-levels.ts';
import {
  readServiceFile,
  removeServiceFile,
  type ServiceInfo,
  writeServiceFile,
} from '../files/service-file.ts';
import { takeFileLock } from './store/connection.ts';

/** The paths are absolute. */
interface DataPaths {
  root: string;
  uploads: string;
  sources: string;
  scratch: string;
  results: string;
  /** A person's own models lie here. */
  models: string;
  /** Libraries of devices that a person added lie here. */
  devices: string;
  engineCache: string;
  keyFile: string;
}

export interface DataFolder extends DataPaths {
  /** Writes the file by which other programs find the service. */
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
    keyFile: join(root, 'cli.key'),
  };
}

/**
 * Makes the folder when it is missing and holds it for this process until close(). The operating system lets
 * go of it when the process ends in any way. Throws a sentence that names the holder when there is one.
 */
export function openDataFolder(dataDir: string): DataFolder {
  assertWholePath(dataDir);
  const paths = dataPathsOf(dataDir);
  const { root, uploads, sources, scratch, results, models, engineCache } = paths;
  const lock = usable(root, () => {
    for (const folder of [root, uploads, sources, scratch, results, models, engineCache])
      makeLevels(folder, 0o700);
    return takeFileLock(join(root, 'service.lock'));
  });
  if (!lock) throw new DataFolderHeld(heldSentence(paths));
  removeServiceFile(root);
  return {
    ...paths,
    writeServiceFile: (info) => writeServiceFile(root, info),
    close() {
      removeServiceFile(root);
      lock.release();
    },
  };
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
