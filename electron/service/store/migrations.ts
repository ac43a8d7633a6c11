/**
 * The database's shape as numbered steps, each run once, in order, in a transaction of its own.
 * A step that was released is never edited: append one. `user_version` holds the number of steps done.
 */
import { inTransaction, type Connection } from './connection.ts';
import { firstSchema } from './schema-1.ts';
import { looksSchema } from './schema-looks.ts';
import { photosSchema } from './schema-photos.ts';
import { presetsSchema } from './schema-presets.ts';
import { removedSchema } from './schema-removed.ts';
import { shippedPresets } from './schema-shipped-presets.ts';
import { watchesSchema, watchesWithoutFirstLook } from './schema-watches.ts';

export const migrations: readonly string[] = [
  firstSchema,
  presetsSchema,
  removedSchema,
  looksSchema,
  watchesSchema,
  watchesWithoutFirstLook,
  photosSchema,
  shippedPresets,
];

/** Throws a sentence when the database was written by a newer program. Changes nothing. */
export function assertKnown(db: Connection, steps: readonly string[] = migrations): void {
  const done = readVersion(db);
  if (done > steps.length) {
    throw new Error(
      `The data folder's database is of version ${done}, and this program knows versions up to ${steps.length}. ` +
        'It was written by a newer Enlarger: start that one, or choose another data folder.',
    );
  }
}

/** The version of a database whose shape is about to change; undefined for a new one and for one that is up to date. */
export function outdatedVersion(db: Connection): number | undefined {
  const done = readVersion(db);
  return done > 0 && done < migrations.length ? done : undefined;
}

/** Throws a sentence when the database was written by a newer program. */
export function migrate(db: Connection, steps: readonly string[] = migrations): void {
  assertKnown(db, steps);
  const done = readVersion(db);
  for (const [index, step] of steps.entries()) {
    if (index < done) continue;
    inTransaction(db, () => {
      db.exec(step);
      db.pragma(`user_version = ${index + 1}`);
    });
  }
}

function readVersion(db: Connection): number {
  return Number(db.pragma('user_version', { simple: true }));
}
