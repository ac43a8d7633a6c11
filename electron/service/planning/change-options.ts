/** Computes operation and options of a waiting task after a change, as fields of a submit. Pure. */
import { EnlargerError } from '../../../packages/contract/src/errors.ts';
import {
  RemoveBackgroundOptions,
  sizeFields,
  UpscaleOptions,
  type ChangedOptions,
  type Operation,
  type TaskOperation,
} from '../../../packages/contract/src/request.ts';
import { requestOf, type TaskOptions } from '../../../packages/contract/src/task.ts';

export interface ChangedRequest {
  operation: Operation;
  /** Fields of a submit, not yet validated. */
  fields: Record<string, unknown>;
}

/**
 * Applies a change. Unnamed fields stay; null removes a field; a scale replaces a size and vice versa. If the
 * operation changes, only fields that both have stay, without the model.
 */
export function changeOptions(
  now: { operation: TaskOperation; options: TaskOptions },
  change: { operation?: Operation; options?: ChangedOptions },
): ChangedRequest {
  const { operation = networkOf(now.operation), options = {} } = change;
  const isOther = operation !== now.operation;
  const changes = definedFields(options);
  const current = { ...requestOf(now.options), ...(isOther && { model: undefined }) };
  const applicable = Object.fromEntries(
    Object.entries(current).filter(([name]) => !isOther || name in optionsOf(operation)),
  );
  const isResized = sizeFields.some((name) => name in changes);
  const remaining = isResized ? without(applicable, sizeFields) : applicable;
  return {
    operation,
    fields: definedFields({ ...remaining, ...(options as Record<string, unknown>) }),
  };
}

/** Drops fields that are null or undefined. */
function definedFields(fields: object): Record<string, unknown> {
  const entries: [string, unknown][] = Object.entries(fields);
  return Object.fromEntries(entries.filter(([, value]) => value !== null && value !== undefined));
}

/** @throws EnlargerError CONFLICT for a conversion, whose format is fixed by its submit */
function networkOf(operation: TaskOperation): Operation {
  if (operation !== 'convert') return operation;
  throw new EnlargerError(
    'CONFLICT',
    'What a result is saved as is not changed while it waits. Delete this task and save it again.',
  );
}

const optionsOf = (operation: Operation): object =>
  operation === 'upscale' ? UpscaleOptions.properties : RemoveBackgroundOptions.properties;

function without(fields: Record<string, unknown>, names: readonly string[]) {
  return Object.fromEntries(Object.entries(fields).filter(([name]) => !names.includes(name)));
}
