/** The only door to SQLite: one database in the data folder, one object a table. All calls are synchronous. */
import { join } from 'node:path';
import { backUp, dropOldBackups } from './backup.ts';
import type { ClockMemory } from '../clock.ts';
import { createClockTable } from './clock-table.ts';
import { inTransaction, openConnection, type Connection } from './connection.ts';
import { createFlagTable, type FlagTable } from './flags.ts';
import { createIdempotencyTable, type IdempotencyTable } from './idempotency.ts';
import { createKeyTable, type KeyTable } from './keys.ts';
import { assertKnown, migrate, outdatedVersion } from './migrations.ts';
import { createPhotoTable, type PhotoTable } from './photos.ts';
import { createPresetTable, type PresetTable } from './presets.ts';
import { createSecretTable, type SecretTable } from './secrets.ts';
import { createSettingsTable, type SettingsTable } from './settings.ts';
import { createSpeedTable, type SpeedTable } from './speeds.ts';
import { createTaskTable, type TaskTable } from './tasks.ts';
import { createUploadTable, type UploadTable } from './uploads.ts';
import { createWatchTable, type WatchTable } from './watches.ts';

export interface Store {
  readonly tasks: TaskTable;
  readonly keys: KeyTable;
  readonly settings: SettingsTable;
  readonly idempotency: IdempotencyTable;
  readonly photos: PhotoTable;
  readonly presets: PresetTable;
  readonly watches: WatchTable;
  readonly uploads: UploadTable;
  readonly speeds: SpeedTable;
  readonly secrets: SecretTable;
  readonly flags: FlagTable;
  readonly clock: ClockMemory;
  /** All that `work` writes is on disk when it returns, or nothing of it. */
  transaction<T>(work: () => T): T;
  close(): void;
}

/** @param dataDir an existing folder, or ':memory:' */
export function openStore(dataDir: string): Store {
  const path = dataDir === ':memory:' ? dataDir : join(dataDir, 'enlarger.db');
  const db = openConnection(path, assertKnown);
  try {
    if (dataDir !== ':memory:') keepBackups(db, dataDir);
    migrate(db);
    return createTables(db);
  } catch (cause) {
    db.close();
    throw cause;
  }
}

/** Before anything changes: what a failed update may be gone back to. */
function keepBackups(db: Connection, dataDir: string): void {
  const version = outdatedVersion(db);
  if (version !== undefined) backUp(db, dataDir, version);
  dropOldBackups(dataDir, Date.now());
}

function createTables(db: Connection): Store {
  return {
    tasks: createTaskTable(db),
    keys: createKeyTable(db),
    settings: createSettingsTable(db),
    idempotency: createIdempotencyTable(db),
    photos: createPhotoTable(db),
    presets: createPresetTable(db),
    watches: createWatchTable(db),
    uploads: createUploadTable(db),
    speeds: createSpeedTable(db),
    secrets: createSecretTable(db),
    flags: createFlagTable(db),
    clock: createClockTable(db),
    transaction: (work) => inTransaction(db, work),
    close: () => db.close(),
  };
}
