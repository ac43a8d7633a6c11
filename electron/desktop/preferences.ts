/** The window's own preferences in a small file; all others are settings of the service. */
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { Type, type Static } from 'typebox';
import { Value } from 'typebox/value';
import { themes, type PickedFile } from '../../packages/contract/src/bridge.ts';
import { updateChoices } from './updates/decide.ts';
import { isInside } from '../../packages/files/src/is-inside.ts';

const Preferences = Type.Object({
  /** Whether a closed window leaves a busy queue running. */
  staysInTray: Type.Boolean(),
  /** Whether the page has said that closing hides the window, where nothing else of the session shows it. */
  isHidingExplained: Type.Boolean(),
  notifies: Type.Boolean(),
  /** Newest first. */
  recentFolders: Type.Array(Type.String()),
  /** Last theme of the page, for opening the window before there is a page. */
  theme: Type.Enum([...themes]),
  /** Check for updates. */
  updates: Type.Enum([...updateChoices]),
  /** Include pre-releases. */
  betas: Type.Boolean(),
});
export type Preferences = Static<typeof Preferences>;

const defaults: Preferences = {
  staysInTray: true,
  isHidingExplained: false,
  notifies: true,
  recentFolders: [],
  theme: 'system',
  updates: 'unasked',
  betas: false,
};
const maxRecent = 10;

export interface PreferenceFile {
  get(): Preferences;
  set(change: Partial<Preferences>): void;
}

/** A missing or damaged file counts as empty; of another version's file the known fields are used. */
export function openPreferences(file: string): PreferenceFile {
  let now = { ...defaults, ...read(file) };
  return {
    get: () => now,
    set(change) {
      now = { ...now, ...change };
      mkdirSync(path.dirname(file), { recursive: true });
      writeFileSync(`${file}.part`, JSON.stringify(now, null, 2));
      renameSync(`${file}.part`, file);
    },
  };
}

function read(file: string): Partial<Preferences> {
  try {
    const found: unknown = JSON.parse(readFileSync(file, 'utf8'));
    return Value.Check(Type.Object({}), found) ? known(found) : {};
  } catch {
    return {};
  }
}

function known(found: object): Partial<Preferences> {
  const valid = Object.entries(Preferences.properties).filter(
    ([name, schema]) => name in found && Value.Check(schema, Reflect.get(found, name)),
  );
  return Object.fromEntries(valid.map(([name]) => [name, Reflect.get(found, name) as unknown]));
}

/** Moves opened folders that contain pictures to the front of the recent ones. */
export function withRecent(
  { recentFolders }: Preferences,
  paths: readonly string[],
  files: readonly PickedFile[],
): Pick<Preferences, 'recentFolders'> {
  const folders = paths.filter((opened) => files.some((file) => isBelow(file.path, opened)));
  const known = recentFolders.filter((folder) => !folders.includes(folder));
  return { recentFolders: [...folders, ...known].slice(0, maxRecent) };
}

function isBelow(file: string, folder: string): boolean {
  return file !== folder && isInside(file, folder);
}
