/** Remembers in this tab which photos are listed, so that a reload keeps it. */

const storageName = 'enlarger.filter';

export const filters = [
  'all',
  'active',
  'finished',
  'failed',
  'cancelled',
  'toCheck',
  'unjudged',
  'accepted',
  'rejected',
  'unsaved',
  'copies',
] as const;
export type Filter = (typeof filters)[number];

/** The noted filter; all photos where none is. */
export function keptFilter(): Filter {
  const kept = sessionStorage.getItem(storageName);
  return filters.find((filter) => filter === kept) ?? 'all';
}

export const keepFilter = (filter: Filter): void => sessionStorage.setItem(storageName, filter);
