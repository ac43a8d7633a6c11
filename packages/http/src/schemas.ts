/** References to the contract's named schemas, so that the documentation shows each once. */
import { Type, type Static, type TSchema, type TUnsafe } from 'typebox';
import { ErrorBody } from '../../contract/src/common.ts';
import { requestErrorStatus, type RequestErrorCode } from '../../contract/src/errors.ts';

/** Reference to a named schema, with its type. */
export function ref<T extends TSchema>(schema: T): TUnsafe<Static<T>> {
  if (!('$id' in schema) || typeof schema.$id !== 'string')
    throw new Error('Only a schema of the contract that has an $id can be referred to.');
  return Type.Unsafe<Static<T>>({ $ref: `${schema.$id}#` });
}

/** Params of routes that name a model or a device's files. */
export const IdParams = Type.Object({ id: Type.String({ maxLength: 100 }) });

export const pictureAnswer = (description: string, type = 'image/*') => ({
  description,
  content: { [type]: { schema: Type.String({ format: 'binary' }) } },
});

/** @param event schema of the JSON in each event's data, which generators of clients take for that of an event */
export const streamAnswer = (event: TSchema, description: string) => ({
  description,
  content: { 'text/event-stream': { schema: ref(event) } },
});

/** Responses of a route: its own, and its errors in addition to those of documentation.ts. */
export function answers<T extends Record<number, unknown>>(own: T, ...codes: RequestErrorCode[]) {
  return { ...own, ...refusals(codes) };
}

function refusals(codes: RequestErrorCode[]): Record<number, unknown> {
  const byStatus = Object.groupBy(codes, (code) => requestErrorStatus[code]);
  return Object.fromEntries(
    Object.entries(byStatus).map(([status, group]) => [
      status,
      { ...ref(ErrorBody), description: group.join(', ') },
    ]),
  );
}
