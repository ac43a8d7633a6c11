/** What became of each field of the source's metadata in the result. */
import type { MetadataGroup, TaskMetadata } from '../../electron/contract/picture.ts';

export type Change = 'kept' | 'changed' | 'removed' | 'added';

export interface FieldChange {
  readonly name: string;
  readonly change: Change;
  readonly source: string | undefined;
  readonly result: string | undefined;
}

type Field = TaskMetadata['fields'][number];

export function changeOf({ source, result }: Pick<Field, 'source' | 'result'>): Change {
  if (source === undefined) return 'added';
  if (result === undefined) return 'removed';
  return source === result ? 'kept' : 'changed';
}

/** By group in the order of the answer. `changesOnly` leaves out what is the same, and groups without the rest. */
export function groupFields(
  fields: readonly Field[],
  changesOnly: boolean,
): { group: MetadataGroup; fields: FieldChange[] }[] {
  const groups = new Map<MetadataGroup, FieldChange[]>();
  for (const { group, name, source, result } of fields) {
    const change = changeOf({
      ...(source !== undefined && { source }),
      ...(result !== undefined && { result }),
    });
    if (changesOnly && change === 'kept') continue;
    const known = groups.get(group) ?? [];
    groups.set(group, [...known, { name, change, source, result }]);
  }
  return Array.from(groups, ([group, known]) => ({ group, fields: known }));
}
