/**
 * The only access to SQLite: one database in the data folder, one object per table. All calls are
 * synchronous.
 */
import { join } from 'node:path';
import { backUp, dropOldBackups } from './disk/backup.ts';
import type { ClockMemory } from '../clock.ts';
import { createCallbackTable, type CallbackTable } from './callbacks.ts';
import { createChangeTable, type ChangeTable } from './tasks/changes.ts';
import {
  createClockTable,
  createFlagTable,
  type FlagTable,
  createSecretTable,
  type SecretTable,
  createNoticeTable,
  type NoticeTable,
  createUnnamedFiles,
  type UnnamedFiles,
} from './tables.ts';
import { inTransaction, openConnection, type Connection } from './connection.ts';
import { createIdempotencyTable, type IdempotencyTable } from './idempotency.ts';
import { createKeyTable, type KeyTable } from './keys.ts';
import { assertKnown, migrate, outdatedVersion } from './migrations.ts';
import { createPhotoTable, type PhotoTable } from './photos.ts';
import { createPresetTable, type PresetTable } from './presets.ts';
import {
  assertWhole,
  damageOf,
  dropOldSetAside,
  isCheckDue,
  salvage,
  setAside,
  type Rescue,
} from './disk/rescue.ts';
import { createReserve, noReserve, type Reserve } from './disk/reserve.ts';
import { createSettingsTable, type SettingsTable } from './settings.ts';
import { createTaskTable, type TaskTable } from './tasks/table.ts';
import { createUploadTable, type UploadTable } from './uploads.ts';
import { createWatchTable, type WatchTable } from './watches.ts';

export interface Store {
  readonly tasks: TaskTable;
  readonly keys: KeyTable;
  readonly settings: SettingsTable;
  readonly idempotency: IdempotencyTable;
  readonly photos: PhotoTable;
  readonly presets: PresetTable;
  readonly callbacks: CallbackTable;
  readonly changes: ChangeTable;
  readonly watches: WatchTable;
  readonly uploads: UploadTable;
  readonly secrets: SecretTable;
  readonly flags: FlagTable;
  readonly clock: ClockMemory;
  readonly unnamed: UnnamedFiles;
  readonly notices: NoticeTable;
  /** Set if a damaged database was found at this start and moved aside. */
  readonly rescue: Rescue | undefined;
  /** Writes the disk reserve again if it was used up. */
  fillReserve(): void;
  /** Runs `work` in one transaction, which is on disk when this returns. */
  transaction<T>(work: () => T): T;
  close(): void;
}

/**
 * Opens the database. A damaged one is moved aside and replaced by a new one with its readable rows.
 * @param dataDir an existing folder, or ':memory:'
 */
export function openStore(dataDir: string): Store {
  if (dataDir === ':memory:') return openTables(dataDir, noReserve);
  const path = join(dataDir, 'enlarger.db');
  const reserve = createReserve(dataDir);
  dropOldSetAside(dataDir, Date.now());
  try {
    return openTables(path, reserve, dataDir);
  } catch (thrown) {
    const reason = damageOf(thrown);
    if (reason === undefined) throw thrown;
    const folder = setAside(path, dataDir, Date.now());
    return openTables(path, reserve, dataDir, { folder, reason });
  }
}

/** @param damage of the database that was replaced by this new one */
function openTables(
  path: string,
  reserve: Reserve,
  dataDir?: string,
  damage?: Omit<Rescue, 'rows'>,
): Store {
  const isChecked = isCheckDue(path);
  const db = openConnection(path, (opened) => {
    assertKnown(opened);
    if (isChecked) assertWhole(opened);
  });
  try {
    if (dataDir !== undefined) keepBackups(db, dataDir);
    migrate(db);
    const rescue = damage && { ...damage, rows: salvage(db, damage.folder) };
    return createTables(db, reserve, rescue);
  } catch (cause) {
    db.close();
    throw cause;
  }
}

/** Copies the database before a migration, so that a failed update can be undone. */
function keepBackups(db: Connection, dataDir: string): void {
  const version = outdatedVersion(db);
  if (version !== undefined) backUp(db, dataDir, version);
  dropOldBackups(dataDir, Date.now());
}

function createTables(db: Connection, reserve: Reserve, rescue: Rescue | undefined): Store {
  return {
    tasks: withRoom(createTaskTable(db), reserve, taskCallsThatFree),
    keys: withRoom(createKeyTable(db), reserve, ['revoke']),
    settings: createSettingsTable(db),
    idempotency: createIdempotencyTable(db),
    photos: withRoom(createPhotoTable(db), reserve, ['drop']),
    presets: createPresetTable(db),
    callbacks: createCallbackTable(db),
    changes: createChangeTable(db),
    watches: createWatchTable(db),
    uploads: withRoom(createUploadTable(db), reserve, ['remove']),
    secrets: createSecretTable(db),
    flags: withRoom(createFlagTable(db), reserve, ['set']),
    clock: createClockTable(db),
    unnamed: createUnnamedFiles(db),
    notices: createNoticeTable(db),
    rescue,
    fillReserve: () => reserve.fill(),
    transaction: (work) => inTransaction(db, work),
    close: () => db.close(),
  };
}

/** Calls that free space or stop its use, and so must work on a full disk. */
const taskCallsThatFree = ['cancel', 'setAside', 'forgetRemoved', 'markSwept', 'drop'] as const;

function withRoom<Table extends object>(
  table: Table,
  reserve: Reserve,
  names: readonly (keyof Table)[],
): Table {
  const made = { ...table };
  for (const name of names) {
    const call = table[name];
    if (typeof call !== 'function') continue;
    const roomy = (...given: unknown[]): unknown =>
      reserve.freeing(() => Reflect.apply(call, table, given) as unknown);
    made[name] = roomy as Table[typeof name];
  }
  return made;
}
