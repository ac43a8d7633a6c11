/** One small file keeps the few choices that are the window's own; all others are the service's settings. */
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { Type, type Static } from 'typebox';
import { Value } from 'typebox/value';
import { themes, type GivenFile } from '../contract/bridge.ts';
import { updateChoices } from './updates/decide.ts';
import { isInside } from '../files/is-inside.ts';

const Preferences = Type.Object({
  /** Whether a closed window leaves a busy queue running. */
  staysInTray: Type.Boolean(),
  /** Whether the page has said that closing hides the window, where nothing else of the session shows it. */
  isHidingExplained: Type.Boolean(),
  notifies: Type.Boolean(),
  /** The newest folder comes first. */
  recentFolders: Type.Array(Type.String()),
  /** The theme is the page's last one, because the window opens in it before there is a page. */
  theme: Type.Enum([...themes]),
  /** Says whether newer versions are looked for. */
  updates: Type.Enum([...updateChoices]),
  /** Says whether pre-releases are taken too. */
  betas: Type.Boolean(),
});
export type Preferences = Static<typeof Preferences>;

const usual: Preferences = {
  staysInTray: true,
  isHidingExplained: false,
  notifies: true,
  recentFolders: [],
  theme: 'system',
  updates: 'unasked',
  betas: false,
};
const mostRecent = 10;

export interface PreferenceFile {
  get(): Preferences;
  set(change: Partial<Preferences>): void;
}

/** Opens the file. A missing or damaged one counts as empty; another version's keeps its known fields. */
export function openPreferences(file: string): PreferenceFile {
  let now = { ...usual, ...read(file) };
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
  const kept = Object.entries(Preferences.properties).filter(
    ([name, schema]) => name in found && Value.Check(schema, Reflect.get(found, name)),
  );
  return Object.fromEntries(kept.map(([name]) => [name, Reflect.get(found, name) as unknown]));
}

/** Puts given folders that hold pictures at the head of the recent ones. */
export function withGiven(
  { recentFolders }: Preferences,
  paths: readonly string[],
  files: readonly GivenFile[],
): Pick<Preferences, 'recentFolders'> {
  const folders = paths.filter((given) => files.some((file) => isBelow(file.path, given)));
  const known = recentFolders.filter((folder) => !folders.includes(folder));
  return { recentFolders: [...folders, ...known].slice(0, mostRecent) };
}

function isBelow(file: string, folder: string): boolean {
  return file !== folder && isInside(file, folder);
}
