/** Remembers in this tab where the next versions of photos go, so that a reload keeps it. */
import type { Versions } from '../photo/photo.svelte.ts';
import { readNoted, writeNoted } from './noted.ts';

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
  writeNoted(storageName, [...kept].slice(-maxKept));
}

/** Sets the noted destinations of photos that have none. */
export function restoreDestinations(all: readonly KeyedVersions[]): void {
  const kept = readKept();
  for (const versions of all) versions.destination ??= kept.get(versions.key);
}

const readKept = () => readNoted(storageName, (value) => typeof value === 'string');
