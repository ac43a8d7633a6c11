/** Effective settings: the stored ones, and those of this run's command line. */
import { stat } from 'node:fs/promises';
import path from 'node:path';
import {
  maxListed,
  type Settings,
  type SettingsPatch,
} from '../../../packages/contract/src/settings/settings.ts';
import { EnlargerError } from '../../../packages/contract/src/errors.ts';
import type { Store } from '../store/store.ts';

/** Lists that several programs edit concurrently. */
type ListName = keyof typeof maxListed;

export interface LiveSettings {
  get(): Settings;
  /**
   * Stores settings and returns all.
   * @throws EnlargerError INVALID_REQUEST if one is invalid; then none is stored
   */
  patch(patch: SettingsPatch): Promise<Settings>;
  /**
   * Adds to a list atomically and returns the whole list.
   * @throws EnlargerError INVALID_REQUEST if an item is invalid; then none is added
   */
  add(list: ListName, items: readonly string[]): Promise<string[]>;
  /** Removes from a list atomically. Items of this run's command line stay while it runs. */
  remove(list: ListName, item: string): string[];
  /** Called after each stored patch. */
  onPatch(listener: (patch: SettingsPatch) => void): void;
}

/** Settings of this run's command line, never stored. */
interface StartSettings {
  grantedFolders: readonly string[];
  allowLocalSources: boolean;
}

/** Rules that other folders know. */
interface SettingsRules {
  /** Ids of installed upscalers; the first replaces a default model that is not installed. */
  upscalers: () => readonly string[];
  /** @throws EnlargerError INVALID_REQUEST for a `pool.storage` that is neither a folder nor a bucket */
  assertStorageAddress: (text: string) => void;
}

export function createLiveSettings(
  table: Store['settings'],
  start: StartSettings,
  { upscalers, assertStorageAddress }: SettingsRules,
): LiveSettings {
  const get = (): Settings => {
    const stored = table.get();
    return {
      ...stored,
      defaultUpscaler: installed(stored.defaultUpscaler, upscalers()),
      allowLocalSources: stored.allowLocalSources || start.allowLocalSources,
      grantedFolders: [...new Set([...stored.grantedFolders, ...start.grantedFolders])],
    };
  };
  const notify = (patch: SettingsPatch) => {
    for (const listener of listeners) listener(patch);
  };
  const listeners: ((patch: SettingsPatch) => void)[] = [];
  const set = (patch: SettingsPatch) => {
    table.patch({ ...patch, ...storedFolders(patch.grantedFolders, table.get(), start) });
    notify(patch);
    return get();
  };
  const setList = (list: ListName, items: string[]) => {
    const max = maxListed[list];
    if (items.length > max)
      throw new EnlargerError(
        'INVALID_REQUEST',
        `Expected ${list} to hold at most ${max}, but they would be ${items.length}. Remove some first.`,
      );
    return set({ [list]: items })[list];
  };
  return {
    get,
    onPatch: (listener) => void listeners.push(listener),
    async patch(patch) {
      const { allowedOrigins, grantedFolders, pool } = patch;
      const known = get().grantedFolders;
      for (const origin of allowedOrigins ?? []) assertOrigin(origin);
      if (pool) assertPool({ ...get().pool, ...pool }, assertStorageAddress);
      for (const folder of grantedFolders ?? [])
        if (!known.includes(folder)) await assertGrantable(folder);
      return set(patch);
    },
    async add(list, items) {
      const before = get()[list];
      for (const item of items) if (!before.includes(item)) await assertItem(list, item);
      // Read and written without awaiting in between, so that concurrent changes are not lost.
      return setList(list, [...new Set([...get()[list], ...items])]);
    },
    remove: (list, item) =>
      setList(
        list,
        get()[list].filter((one) => one !== item),
      ),
  };
}

/** @throws EnlargerError INVALID_REQUEST */
async function assertItem(list: ListName, item: string): Promise<void> {
  if (list === 'grantedFolders') await assertGrantable(item);
  else assertOrigin(item);
}

const installed = (id: string, all: readonly string[]) => (all.includes(id) ? id : (all[0] ?? id));

/** Drops folders granted for this run only, which clients send back in patches. */
function storedFolders(
  requested: string[] | undefined,
  stored: Settings,
  start: StartSettings,
): { grantedFolders?: string[] } {
  if (requested === undefined) return {};
  const isOfThisRun = (folder: string) =>
    start.grantedFolders.includes(folder) && !stored.grantedFolders.includes(folder);
  return { grantedFolders: requested.filter((folder) => !isOfThisRun(folder)) };
}

function assertOrigin(origin: string): void {
  const url = URL.parse(origin);
  if (url?.origin === origin && /^https?:$/.test(url.protocol)) return;
  throw new EnlargerError(
    'INVALID_REQUEST',
    `Expected allowedOrigins to hold origins such as https://example.org but received ${JSON.stringify(origin)}.`,
  );
}

/** A queue address requires a storage. @throws EnlargerError INVALID_REQUEST */
function assertPool(
  { address, storage }: Settings['pool'],
  assertStorageAddress: SettingsRules['assertStorageAddress'],
): void {
  if (storage !== '') assertStorageAddress(storage);
  if (address !== '' && !URL.canParse(address))
    throw new EnlargerError(
      'INVALID_REQUEST',
      'Expected pool.address to be like redis://host:6379 or rediss://user:password@host:6379.',
    );
  if (address === '' || storage !== '') return;
  throw new EnlargerError(
    'INVALID_REQUEST',
    'Expected pool.storage beside pool.address: a folder that all machines see, or a bucket (s3://…).',
  );
}

/** Accepts an existing folder or single file, by absolute path. */
async function assertGrantable(granted: string): Promise<void> {
  if (path.isAbsolute(granted) && !granted.includes('\0')) {
    const found = await stat(granted).catch(() => undefined);
    if (found?.isDirectory() === true || found?.isFile() === true) return;
  }
  throw new EnlargerError(
    'INVALID_REQUEST',
    `Expected the absolute path of a folder or file that is there, but found none at ${granted}. Make the folder first, or check its path.`,
  );
}
