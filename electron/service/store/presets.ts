/** Presets: options of a submit under a name. */
import { EnlargerError } from '../../../packages/contract/src/errors.ts';
import type { Preset } from '../../../packages/contract/src/settings/preset.ts';
import { runWrite, writeRow, type SqliteConnection } from './connection.ts';
import { readObject } from './columns.ts';

export type PresetRow = Omit<Preset, 'createdAt'> & {
  /** Wall clock, milliseconds. */
  createdAt: number;
};

export interface PresetTable {
  /** Sorted by name. */
  list(): PresetRow[];
  get(id: string): PresetRow | undefined;
  /** @throws EnlargerError CONFLICT if another preset has the name */
  insert(preset: PresetRow): PresetRow;
  /** Returns undefined if there is no such preset. Throws like insert. */
  update(preset: Omit<PresetRow, 'createdAt'>): PresetRow | undefined;
  /** Returns false if there is no such preset. @throws EnlargerError CONFLICT if a watched folder uses it */
  remove(id: string): boolean;
}

/** Row form: the options are JSON. */
type RawPreset = Omit<PresetRow, 'options'> & { options: string };

const columns = 'id, name, operation, options, created_at AS createdAt';

export function createPresetTable(db: SqliteConnection): PresetTable {
  const all = db.prepare<[], RawPreset>(`SELECT ${columns} FROM presets ORDER BY name`);
  const get = db.prepare<[string], RawPreset>(`SELECT ${columns} FROM presets WHERE id = ?`);
  const holder = db.prepare<[object], RawPreset>(
    `SELECT ${columns} FROM presets WHERE name = @name AND id <> @id`,
  );
  const insert = db.prepare<[object]>(
    'INSERT INTO presets VALUES (@id, @name, @operation, @options, @createdAt)',
  );
  const update = db.prepare<[object], RawPreset>(
    `UPDATE presets SET name = @name, operation = @operation, options = @options
     WHERE id = @id RETURNING ${columns}`,
  );
  const remove = db.prepare<[string]>('DELETE FROM presets WHERE id = ?');
  const user = db
    .prepare<[string], string>('SELECT folder FROM watches WHERE preset_id = ? LIMIT 1')
    .pluck();
  const assertFree = ({ id, name }: Pick<PresetRow, 'id' | 'name'>) => {
    const taken = holder.get({ id, name });
    if (taken)
      throw new EnlargerError(
        'CONFLICT',
        `There is a preset ${taken.name} already. Choose another name.`,
      );
  };
  return {
    list: () => all.all().map(toPresetRow),
    get(id) {
      const raw = get.get(id);
      return raw && toPresetRow(raw);
    },
    insert(preset) {
      assertFree(preset);
      runWrite(() => insert.run({ ...preset, options: JSON.stringify(preset.options) }));
      return preset;
    },
    update({ id, name, operation, options }) {
      assertFree({ id, name });
      const raw = writeRow(update, { id, name, operation, options: JSON.stringify(options) });
      return raw && toPresetRow(raw);
    },
    remove(id) {
      const folder = user.get(id);
      if (folder !== undefined)
        throw new EnlargerError(
          'CONFLICT',
          `The watched folder ${folder} uses this preset. Give it another one first.`,
        );
      return runWrite(() => remove.run(id)).changes === 1;
    },
  };
}

const toPresetRow = (raw: RawPreset): PresetRow => ({
  ...raw,
  options: readObject(raw.options) ?? {},
});
