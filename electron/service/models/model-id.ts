/** Ids of models that a person adds, made of their names. Pure. */

const longestId = 60;

/** Lower-case letters, digits and hyphens; "model" where nothing of the name is left. */
export function slugOf(name: string): string {
  const slug = name
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, longestId)
    .replace(/-+$/, '');
  return slug === '' ? 'model' : slug;
}

/** The id itself, or with the first number from 2 on that is free. */
export function freeId(id: string, taken: readonly string[]): string {
  if (!taken.includes(id)) return id;
  let number = 2;
  while (taken.includes(`${id}-${number}`)) number += 1;
  return `${id}-${number}`;
}
