/**
 * The schemas at work. Bodies are taken as they are: nothing is turned into another type, nothing is
 * dropped. Defaults are not filled in either: in a patch they would undo what was set before; handlers
 * know them. Query strings hold text only, so their numbers are read from it.
 */
import { Ajv, type Options, type ValidateFunction } from 'ajv';
import type { FastifySchemaCompiler } from 'fastify';
import type { Static, TSchema } from 'typebox';
import { EnlargerError } from '../../contract/errors.ts';
import { sentenceFor } from './sentences.ts';

const options: Options = {
  coerceTypes: false,
  removeAdditional: false,
  useDefaults: false,
  allErrors: false,
  verbose: true,
  strict: false,
};

/** @param named answers every named schema; asked when the first body of a route comes */
export function createValidatorCompiler(
  named: () => Record<string, unknown>,
): FastifySchemaCompiler<object> {
  const exact = lazyAjv(options);
  const fromText = lazyAjv({ ...options, coerceTypes: true });
  return ({ schema, httpPart = 'body' }) => {
    const ajv = httpPart === 'body' ? exact : fromText;
    let validate: ValidateFunction | undefined;
    return (data: unknown) => {
      validate ??= ajv().compile(resolved(schema, named()));
      if (validate(data)) return { value: data };
      const sentence = sentenceFor(validate.errors ?? [], partNames[httpPart] ?? httpPart);
      return { error: new EnlargerError('INVALID_REQUEST', sentence) };
    };
  };
}

/** The schema itself, or the named one that it refers to. */
function resolved(schema: object, named: Record<string, unknown>): object {
  if (!('$ref' in schema) || typeof schema.$ref !== 'string') return schema;
  const target = named[schema.$ref.replace(/#$/, '')];
  if (typeof target === 'object' && target !== null) return target;
  throw new Error(`The contract has no schema ${schema.$ref}.`);
}

/** The same for what only a handler knows the schema of. Answers the value; throws INVALID_REQUEST. */
export function createCheck<T extends TSchema>(schema: T, part: string) {
  let validate: ValidateFunction | undefined;
  return (data: unknown): Static<T> => {
    validate ??= new Ajv(options).compile(schema);
    if (validate(data)) return data as Static<T>;
    throw new EnlargerError('INVALID_REQUEST', sentenceFor(validate.errors ?? [], part));
  };
}

const partNames: Record<string, string> = {
  body: 'body',
  querystring: 'query',
  params: 'address',
  headers: 'headers',
};

/** Its making costs time at the start, which is counted: it waits for the first call. */
function lazyAjv(using: Options): () => Ajv {
  let made: Ajv | undefined;
  return () => (made ??= new Ajv(using));
}
