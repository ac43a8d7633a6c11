/** Finds what became of each field of the source's metadata in the result. */
import type { MetadataGroup, TaskMetadata } from '../../../packages/contract/src/picture.ts';

export type ChangeKind = 'kept' | 'changed' | 'removed' | 'added';

interface FieldChange extends Sides {
  readonly name: string;
  readonly change: ChangeKind;
}

type Field = TaskMetadata['fields'][number];
type Sides = { [Side in 'source' | 'result']?: string | undefined };

export function changeOf({ source, result }: Sides): ChangeKind {
  if (source === undefined) return 'added';
  if (result === undefined) return 'removed';
  return source === result ? 'kept' : 'changed';
}

/**
 * Groups the fields in the order of the answer. `changesOnly` leaves out the fields that are the same, and
 * the groups in which nothing else is.
 */
export function groupFields(
  fields: readonly Field[],
  changesOnly: boolean,
): { group: MetadataGroup; fields: FieldChange[] }[] {
  const groups = new Map<MetadataGroup, FieldChange[]>();
  for (const { group, name, source, result } of fields) {
    const change = changeOf({ source, result });
    if (changesOnly && change === 'kept') continue;
    const known = groups.get(group) ?? [];
    groups.set(group, [...known, { name, change, source, result }]);
  }
  return Array.from(groups, ([group, known]) => ({ group, fields: known }));
}
