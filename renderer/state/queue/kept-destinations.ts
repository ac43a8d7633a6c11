/** Remembers in this tab where the next versions of photos go, so that a reload keeps it. */
import type { Versions } from '../photo/photo.svelte.ts';

const storageName = 'enlarger.destinations';
/** Those that were set last stay. */
const maxKept = 2000;

type KeyedVersions = Pick<Versions, 'key' | 'destination'>;

/** Notes the destinations of these photos. */
export function keepDestinations(all: readonly KeyedVersions[]): void {
  const kept = readKept();
  for (const { key, destination } of all) {
    kept.delete(key);
    if (destination !== undefined) kept.set(key, destination);
  }
  const last = [...kept].slice(-maxKept);
  sessionStorage.setItem(storageName, JSON.stringify(Object.fromEntries(last)));
}

/** Sets the noted destinations of photos that have none. */
export function restoreDestinations(all: readonly KeyedVersions[]): void {
  const kept = readKept();
  for (const versions of all) versions.destination ??= kept.get(versions.key);
}

function readKept(): Map<string, string> {
  const stored: unknown = JSON.parse(sessionStorage.getItem(storageName) ?? '{}');
  if (typeof stored !== 'object' || stored === null) return new Map();
  return new Map(
    Object.entries(stored).filter(
      (entry): entry is [string, string] => typeof entry[1] === 'string',
    ),
  );
}
