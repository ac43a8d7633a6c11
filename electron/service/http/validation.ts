/**
 * Validates by the schemas. Bodies are taken as they are: no value is converted and none is dropped. Defaults
 * are not filled in, because in a patch they would undo earlier settings; handlers know the defaults. Query
 * strings are text only, so their numbers are converted.
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

/**
 * Creates the compiler of Fastify's validators.
 * @param named answers all named schemas; it is called when a route is called for the first time
 */
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

/** Answers the schema itself, or the named one that it refers to. */
function resolved(schema: object, named: Record<string, unknown>): object {
  if (!('$ref' in schema) || typeof schema.$ref !== 'string') return schema;
  const target = named[schema.$ref.replace(/#$/, '')];
  if (typeof target === 'object' && target !== null) return target;
  throw new Error(`The contract has no schema ${schema.$ref}.`);
}

/** Creates a check by a schema that only a handler knows. It answers the value or throws INVALID_REQUEST. */
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

/** Delays making an Ajv until its first use, because that costs time at the start, which is measured. */
function lazyAjv(using: Options): () => Ajv {
  let made: Ajv | undefined;
  return () => (made ??= new Ajv(using));
}
