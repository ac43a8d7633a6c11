/**
 * Opens what the engine needs, and starts it. Its process takes longer to start than the rest of the service, which
 * is loaded meanwhile: this file imports nothing else.
 */
import { createEngineHost, type EngineHost } from '../engine/host/host.ts';
import type { Closers } from './closers.ts';
import type { DataFolder } from './data-folder.ts';
import { openAddedDeviceFiles, type AddedDeviceFiles } from './devices/added-files.ts';
import { deviceFilesFor } from './devices/known-files.ts';
import type { ServiceOptions } from './service-options.ts';
import { createChangeBus, type ChangeBus } from './settings/change-bus.ts';
import {
  createPowerAndActivityStore,
  type PowerAndActivityStore,
} from './settings/power-and-activity.ts';
import { openStore, type Store } from './store/store.ts';

export interface EngineParts {
  folder: DataFolder;
  /** With the settings as they are stored, without those of this run's command line. */
  stored: Store;
  changes: ChangeBus;
  deviceFiles: AddedDeviceFiles;
  powerAndActivity: PowerAndActivityStore;
  engine: EngineHost;
}

export async function openEngineParts(
  options: ServiceOptions,
  folder: DataFolder,
  closers: Closers,
): Promise<EngineParts> {
  const { enginePath, nodePath, modelsDir, log } = options;
  const stored = openStore(folder.root);
  closers.add(() => stored.close());
  const changes = createChangeBus();
  const powerAndActivity = createPowerAndActivityStore();
  const deviceFiles = await openAddedDeviceFiles(folder.devices, deviceFilesFor(), () =>
    changes.note(['devices']),
  );
  const createEngine = options.createEngine ?? createEngineHost;
  const engine = createEngine({
    ...{ nodePath, enginePath, cacheDir: folder.engineCache, log },
    budget: () => ({ leave: stored.settings.get().leaveRoom, around: powerAndActivity.now() }),
    card: () => stored.settings.get().graphicsCard,
    runtime: () => deviceFiles.folder,
    sandbox: sandboxOf(folder, modelsDir),
    onMeasured: () => changes.note(['devices']),
  });
  closers.add(() => engine.close());
  closers.hurry.addEventListener('abort', () => void engine.close(), { once: true });
  engine.warmUp();
  return { folder, stored, changes, deviceFiles, powerAndActivity, engine };
}

/** Parts of the data folder for engine processes: without key, database, log and other programs' files. */
function sandboxOf(folder: DataFolder, modelsDir: string) {
  const { root, uploads, sources, scratch, results, models, devices, engineCache } = folder;
  const pictures = { readable: [uploads, sources], writable: [scratch, results] };
  const hidden = [root];
  return {
    inspectors: { ...pictures, hidden },
    jobs: {
      hidden,
      readable: [...pictures.readable, modelsDir, models, devices],
      writable: [...pictures.writable, engineCache],
    },
  };
}
