/** Settings as JSON, one row each. What is not stored has its default; a stored value that is not valid, too. */
import { Value } from 'typebox/value';
import { EnlargerError } from '../../contract/errors.ts';
import { Settings, type SettingsPatch } from '../../contract/admin.ts';
import { inTransaction, type Connection } from './connection.ts';

export interface SettingsTable {
  get(): Settings;
  /** Stores the given ones and answers all. Throws INVALID_REQUEST, and stores nothing, when one is not valid. */
  patch(patch: SettingsPatch): Settings;
}

export function createSettingsTable(db: Connection): SettingsTable {
  const all = db.prepare<[], { name: string; value: string }>('SELECT name, value FROM settings');
  const write = db.prepare<[string, string]>(
    'INSERT INTO settings VALUES (?, ?) ON CONFLICT DO UPDATE SET value = excluded.value',
  );
  let current: Settings | undefined;
  const get = () => (current ??= withDefaults(all.all()));
  return {
    get,
    patch(patch) {
      const given = Object.entries(patch);
      const next: unknown = { ...get(), ...Object.fromEntries(given) };
      if (!Value.Check(Settings, next)) throw invalid(next);
      inTransaction(db, () => {
        for (const [name, value] of given) write.run(name, JSON.stringify(value));
      });
      return (current = next);
    },
  };
}

function withDefaults(rows: { name: string; value: string }[]): Settings {
  const stored = rows
    .filter(isValid)
    .map(({ name, value }) => [name, JSON.parse(value) as unknown]);
  return Value.Parse(Settings, Value.Default(Settings, Object.fromEntries(stored)));
}

function isValid({ name, value }: { name: string; value: string }): boolean {
  const schema = Object.entries(Settings.properties).find(([known]) => known === name)?.[1];
  return schema !== undefined && Value.Check(schema, JSON.parse(value));
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
