/**
 * The schemas at work. Bodies are taken as they are: nothing is turned into another type, nothing is
 * dropped, defaults are filled in. Query strings hold text only, so their numbers are read from it.
 */
import { Ajv, type Options, type ValidateFunction } from 'ajv';
import type { FastifySchemaCompiler } from 'fastify';
import { EnlargerError } from '../../contract/errors.ts';
import { sentenceFor } from './sentences.ts';

const options: Options = {
  coerceTypes: false,
  removeAdditional: false,
  useDefaults: true,
  allErrors: false,
  verbose: true,
  strict: false,
  // Lengths in UTF-16 units: counting the characters of a 64 MiB data: URL takes too long.
  unicode: false,
};

/** @param named answers every named schema; asked when the first body comes */
export function createValidatorCompiler(
  named: () => Record<string, unknown>,
): FastifySchemaCompiler<object> {
  const exact = lazyAjv(options, named);
  const fromText = lazyAjv({ ...options, coerceTypes: true }, named);
  return ({ schema, httpPart = 'body' }) => {
    const ajv = httpPart === 'body' ? exact : fromText;
    let validate: ValidateFunction | undefined;
    return (data: unknown) => {
      validate ??= ajv().compile(schema);
      if (validate(data)) return { value: data };
      const sentence = sentenceFor(validate.errors ?? [], partNames[httpPart] ?? httpPart);
      return { error: new EnlargerError('INVALID_REQUEST', sentence) };
    };
  };
}

const partNames: Record<string, string> = {
  body: 'body',
  querystring: 'query',
  params: 'address',
  headers: 'headers',
};

/** Compiling costs time at the start, which is counted: it waits for the first call. */
function lazyAjv(using: Options, named: () => Record<string, unknown>): () => Ajv {
  let made: Ajv | undefined;
  return () => {
    if (made !== undefined) return made;
    made = new Ajv(using);
    for (const schema of Object.values(named()))
      if (typeof schema === 'object' && schema !== null) made.addSchema(schema);
    return made;
  };
}
