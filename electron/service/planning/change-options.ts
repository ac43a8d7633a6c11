/** What a waiting task is to do after a change: its options as a submit's fields, with the changes in their place. Pure. */
import { EnlargerError } from '../../contract/errors.ts';
import { requestOf } from '../../contract/request.ts';
import {
  RemoveBackgroundOptions,
  sizeFields,
  UpscaleOptions,
  type ChangedOptions,
  type Operation,
  type TaskOperation,
} from '../../contract/submit.ts';
import type { TaskOptions } from '../../contract/task.ts';

export interface Wanted {
  operation: Operation;
  /** A submit's fields; not checked yet. */
  fields: Record<string, unknown>;
}

/**
 * Fields that are not named stay; null takes one away. A scale takes the place of a size and the other way
 * round. With another operation, what both take stays, but not the model.
 */
export function changeOptions(
  now: { operation: TaskOperation; options: TaskOptions },
  change: { operation?: Operation; options?: ChangedOptions },
): Wanted {
  const { operation = networkOf(now.operation), options = {} } = change;
  const isOther = operation !== now.operation;
  const given = namedIn(options);
  const left = { ...requestOf(now.options), ...(isOther && { model: undefined }) };
  const taken = Object.fromEntries(
    Object.entries(left).filter(([name]) => !isOther || name in knownTo(operation)),
  );
  const isResized = sizeFields.some((name) => name in given);
  const kept = isResized ? without(taken, sizeFields) : taken;
  return {
    operation,
    fields: namedIn({ ...kept, ...(options as Record<string, unknown>) }),
  };
}

/** Those that have a value: neither null nor nothing. */
function namedIn(fields: object): Record<string, unknown> {
  const entries: [string, unknown][] = Object.entries(fields);
  return Object.fromEntries(entries.filter(([, value]) => value !== null && value !== undefined));
}

/** A result that is saved again was chosen with its format: it is deleted and asked for anew. */
function networkOf(operation: TaskOperation): Operation {
  if (operation !== 'convert') return operation;
  throw new EnlargerError(
    'CONFLICT',
    'What a result is saved as is not changed while it waits. Delete this task and save it again.',
  );
}

const knownTo = (operation: Operation): object =>
  operation === 'upscale' ? UpscaleOptions.properties : RemoveBackgroundOptions.properties;

function without(fields: Record<string, unknown>, names: readonly string[]) {
  return Object.fromEntries(Object.entries(fields).filter(([name]) => !names.includes(name)));
}
