/**
 * Schema validation. Bodies are neither converted nor stripped, and defaults not filled in: in a patch they
 * would undo settings. Query strings are text, so their numbers are converted.
 */
import { Ajv, type Options, type ValidateFunction } from 'ajv';
import type { FastifySchemaCompiler } from 'fastify';
import type { Static, TSchema } from 'typebox';
import { EnlargerError } from '../../contract/src/errors.ts';
import { sentenceFor } from './sentences.ts';

const options: Options = {
  coerceTypes: false,
  removeAdditional: false,
  useDefaults: false,
  allErrors: false,
  verbose: true,
  strict: false,
  // A named schema is compiled by itself and as a part of others: Ajv would know its name already then.
  addUsedSchema: false,
  // A test validates the schemas. Here this, and the optimiser of the compiled code, would take longer than all else
  // that a command's few requests cost.
  validateSchema: false,
  code: { optimize: false },
};

/** Ajv is created at its first use, which keeps start-up fast, and compiles a schema once for all servers of a process. */
function lazyAjv(using: Options): () => Ajv {
  let created: Ajv | undefined;
  return () => (created ??= new Ajv(using));
}

const exact = lazyAjv(options);
const fromText = lazyAjv({ ...options, coerceTypes: true });

/** @param named all named schemas; called at a route's first request */
export function createValidatorCompiler(
  named: () => Record<string, unknown>,
): FastifySchemaCompiler<object> {
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

/** The schema itself, or the named one it refers to. */
function resolved(schema: object, named: Record<string, unknown>): object {
  if (!('$ref' in schema) || typeof schema.$ref !== 'string') return schema;
  const target = named[schema.$ref.replace(/#$/, '')];
  if (typeof target === 'object' && target !== null) return target;
  throw new Error(`The contract has no schema ${schema.$ref}.`);
}

/** Validator for schemas that only a handler knows. @throws EnlargerError INVALID_REQUEST */
export function createCheck<T extends TSchema>(schema: T, part: string) {
  let validate: ValidateFunction | undefined;
  return (data: unknown): Static<T> => {
    validate ??= exact().compile(schema);
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
