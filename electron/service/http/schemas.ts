/** Names the contract's schemas in routes, so that the documentation shows each schema once. */
import { Type, type Static, type TSchema, type TUnsafe } from 'typebox';
import { ErrorBody } from '../../contract/common.ts';
import { requestErrorStatus, type RequestErrorCode } from '../../contract/errors.ts';

/** Refers to a named schema and keeps its type. */
export function ref<T extends TSchema>(schema: T): TUnsafe<Static<T>> {
  if (!('$id' in schema) || typeof schema.$id !== 'string')
    throw new Error('Only a schema of the contract that has an $id can be referred to.');
  return Type.Unsafe<Static<T>>({ $ref: `${schema.$id}#` });
}

/** A route whose address names a model, or a device's files, has these params. */
export const IdParams = Type.Object({ id: Type.String({ maxLength: 100 }) });

/** Describes an answer that is the file of a picture. */
export const pictureAnswer = (description: string, type = 'image/*') => ({
  description,
  content: { [type]: { schema: Type.String({ format: 'binary' }) } },
});

/** Describes an answer that is a stream of events. */
export const streamAnswer = {
  description: 'text/event-stream',
  content: { 'text/event-stream': { schema: Type.String() } },
};

/** Lists the answers of a route: its own, and its refusals beside those that documentation.ts adds to each. */
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
