/**
 * The only access to SQLite: one database in the data folder, one object per table. All calls are
 * synchronous.
 */
import { join } from 'node:path';
import { backUp, dropOldBackups } from './disk/backup.ts';
import type { ClockMemory } from '../timing/clock.ts';
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
  createOrphanFileTable,
  type OrphanFileTable,
} from './tables.ts';
import { inTransaction, openConnection, type SqliteConnection } from './connection.ts';
import { createIdempotencyTable, type IdempotencyTable } from './idempotency.ts';
import { createKeyTable, type KeyTable } from './keys.ts';
import { assertKnown, migrate, outdatedVersion } from './migrations.ts';
import { createPhotoTable, type PhotoTable } from './photos.ts';
import { createPresetTable, type PresetTable } from './presets.ts';
import {
  assertIntact,
  damageOf,
  deleteOldRescues,
  isCheckDue,
  salvage,
  moveAside,
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
  readonly orphans: OrphanFileTable;
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
  deleteOldRescues(dataDir, Date.now());
  try {
    return openTables(path, reserve, dataDir);
  } catch (thrown) {
    const reason = damageOf(thrown);
    if (reason === undefined) throw thrown;
    const folder = moveAside(path, dataDir, Date.now());
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
    if (isChecked) assertIntact(opened);
  });
  try {
    if (dataDir !== undefined) backUpBeforeMigration(db, dataDir);
    migrate(db);
    const rescue = damage && { ...damage, rows: salvage(db, damage.folder) };
    return createTables(db, reserve, rescue);
  } catch (cause) {
    db.close();
    throw cause;
  }
}

/** Copies the database before a migration, so that a failed update can be undone. */
function backUpBeforeMigration(db: SqliteConnection, dataDir: string): void {
  const version = outdatedVersion(db);
  if (version !== undefined) backUp(db, dataDir, version);
  dropOldBackups(dataDir, Date.now());
}

function createTables(db: SqliteConnection, reserve: Reserve, rescue: Rescue | undefined): Store {
  return {
    tasks: withReserve(createTaskTable(db), reserve, taskCallsThatFreeSpace),
    keys: withReserve(createKeyTable(db), reserve, ['revoke']),
    settings: createSettingsTable(db),
    idempotency: createIdempotencyTable(db),
    photos: withReserve(createPhotoTable(db), reserve, ['drop']),
    presets: createPresetTable(db),
    callbacks: createCallbackTable(db),
    changes: createChangeTable(db),
    watches: createWatchTable(db),
    uploads: withReserve(createUploadTable(db), reserve, ['remove']),
    secrets: createSecretTable(db),
    flags: withReserve(createFlagTable(db), reserve, ['set']),
    clock: createClockTable(db),
    orphans: createOrphanFileTable(db),
    notices: createNoticeTable(db),
    rescue,
    fillReserve: () => reserve.fill(),
    transaction: (work) => inTransaction(db, work),
    close: () => db.close(),
  };
}

/** Calls that free space or stop its use, and so must work on a full disk. */
const taskCallsThatFreeSpace = [
  'cancel',
  'moveToRemoved',
  'forgetRemoved',
  'markSwept',
  'drop',
] as const;

function withReserve<Table extends object>(
  table: Table,
  reserve: Reserve,
  names: readonly (keyof Table)[],
): Table {
  const wrapped = { ...table };
  for (const name of names) {
    const call = table[name];
    if (typeof call !== 'function') continue;
    const guarded = (...args: unknown[]): unknown =>
      reserve.freeing(() => Reflect.apply(call, table, args) as unknown);
    wrapped[name] = guarded as Table[typeof name];
  }
  return wrapped;
}
