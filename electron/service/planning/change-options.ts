/**
 * Computes what a waiting task is to do after a change: its options become a submit's fields, and the changes
 * replace some of them. All of it is pure.
 */
import { EnlargerError } from '../../contract/errors.ts';
import {
  RemoveBackgroundOptions,
  sizeFields,
  UpscaleOptions,
  type ChangedOptions,
  type Operation,
  type TaskOperation,
} from '../../contract/request.ts';
import { requestOf, type TaskOptions } from '../../contract/task.ts';

export interface Wanted {
  operation: Operation;
  /** The fields are those of a submit; they are not checked yet. */
  fields: Record<string, unknown>;
}

/**
 * Applies a change. Fields that it does not name stay; null removes a field. A scale replaces a size and the
 * other way round. With another operation, the fields stay that both operations have, except the model.
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

/** Keeps the fields that have a value, which is neither null nor undefined. */
function namedIn(fields: object): Record<string, unknown> {
  const entries: [string, unknown][] = Object.entries(fields);
  return Object.fromEntries(entries.filter(([, value]) => value !== null && value !== undefined));
}

/**
 * Answers the operation, or throws CONFLICT for a conversion: its format was chosen with its submit, so the
 * task is deleted and submitted anew.
 */
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
