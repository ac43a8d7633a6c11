/** Settings, one row of JSON each. Missing and invalid ones have their default. */
import { Value } from 'typebox/value';
import { EnlargerError } from '../../../packages/contract/src/errors.ts';
import { Settings, type SettingsPatch } from '../../../packages/contract/src/settings/settings.ts';
import { inTransaction, type SqliteConnection } from './connection.ts';
import { readJson } from './columns.ts';

export interface SettingsTable {
  get(): Settings;
  /**
   * Stores the given settings and returns all.
   * @throws EnlargerError INVALID_REQUEST if one is invalid; then none is stored
   */
  patch(patch: SettingsPatch): Settings;
}

export function createSettingsTable(db: SqliteConnection): SettingsTable {
  const all = db.prepare<[], { name: string; value: string }>('SELECT name, value FROM settings');
  const write = db.prepare<[string, string]>(
    'INSERT INTO settings VALUES (?, ?) ON CONFLICT DO UPDATE SET value = excluded.value',
  );
  let current: Settings | undefined;
  const get = () => (current ??= withDefaults(all.all()));
  return {
    get,
    patch(patch) {
      const changes = Object.entries(changedBy(patch, get()));
      const next: unknown = { ...get(), ...Object.fromEntries(changes) };
      if (!Value.Check(Settings, next)) throw invalid(next);
      inTransaction(db, () => {
        for (const [name, value] of changes) write.run(name, JSON.stringify(value));
      });
      return (current = next);
    },
  };
}

/** Merges nested objects field by field. */
function changedBy(patch: SettingsPatch, current: Settings): Partial<Settings> {
  const { newPhotos, page, pool, ...plain } = patch;
  return {
    ...plain,
    ...(newPhotos && { newPhotos: { ...current.newPhotos, ...newPhotos } }),
    ...(page && { page: { ...current.page, ...page } }),
    ...(pool && { pool: { ...current.pool, ...pool } }),
  };
}

function withDefaults(rows: { name: string; value: string }[]): Settings {
  const stored = rows.map(readRow).filter((row) => row !== undefined);
  return Value.Parse(Settings, Value.Default(Settings, Object.fromEntries(stored)));
}

/** Drops fields of an object that only another version knows. */
function readRow({ name, value }: { name: string; value: string }): [string, unknown] | undefined {
  const schema = Object.entries(Settings.properties).find(([known]) => known === name)?.[1];
  if (schema === undefined) return undefined;
  const found = Value.Clean(schema, Value.Default(schema, readJson(value)));
  return Value.Check(schema, found) ? [name, found] : undefined;
}

function invalid(next: unknown): EnlargerError {
  const [first] = Value.Errors(Settings, next);
  const name = first?.instancePath.slice(1).replaceAll('/', '.') ?? '';
  return new EnlargerError(
    'INVALID_REQUEST',
    name
      ? first?.keyword === 'boolean'
        ? `There is no setting ${name}.`
        : `The setting ${name} ${first?.message ?? 'is not valid'}.`
      : `The settings are not valid: ${first?.message ?? 'unknown field'}.`,
  );
}
