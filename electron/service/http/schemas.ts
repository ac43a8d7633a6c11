/** How routes name the contract's schemas, so that the documentation shows each once. */
import { Type, type Static, type TSchema, type TUnsafe } from 'typebox';
import { ErrorBody } from '../../contract/common.ts';
import { requestErrorStatus, type RequestErrorCode } from '../../contract/errors.ts';
import * as admin from '../../contract/admin.ts';
import * as model from '../../contract/model.ts';
import * as photo from '../../contract/photo.ts';
import * as obtainable from '../../contract/obtainable.ts';
import * as picture from '../../contract/picture.ts';
import * as pool from '../../contract/pool.ts';
import * as preset from '../../contract/preset.ts';
import * as queue from '../../contract/queue.ts';
import * as strokes from '../../contract/strokes.ts';
import * as submit from '../../contract/submit.ts';
import * as task from '../../contract/task.ts';
import * as watch from '../../contract/watch.ts';

/** The contract's schemas that bear a name. */
export const namedSchemas: object[] = [
  ErrorBody,
  ...[
    admin,
    model,
    obtainable,
    strokes,
    submit,
    task,
    photo,
    picture,
    pool,
    preset,
    queue,
    watch,
  ].flatMap(idsOf),
];

function idsOf(module: object): object[] {
  return Object.values(module).filter(
    (value: unknown) => typeof value === 'object' && value !== null && '$id' in value,
  );
}

/** A reference to a named schema that keeps its type. */
export function ref<T extends TSchema>(schema: T): TUnsafe<Static<T>> {
  if (!('$id' in schema) || typeof schema.$id !== 'string')
    throw new Error('Only a schema of the contract that has an $id can be referred to.');
  return Type.Unsafe<Static<T>>({ $ref: `${schema.$id}#` });
}

/** The answers of a route: its own, and the codes that it may refuse with beside those of its key and body (documentation.ts). */
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
