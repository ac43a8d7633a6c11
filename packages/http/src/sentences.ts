/** One sentence per rejected value: field, expected, received. */

/** The used parts of Ajv's error object (`verbose: true`). */
export interface SchemaError {
  keyword: string;
  instancePath: string;
  params: Record<string, unknown>;
  schema?: unknown;
  parentSchema?: unknown;
  data?: unknown;
}

interface JsonSchema {
  type?: string;
  const?: string | number | boolean;
  enum?: unknown[];
  anyOf?: JsonSchema[];
  properties?: Record<string, JsonSchema>;
  minimum?: number;
  maximum?: number;
  minLength?: number;
  maxLength?: number;
  pattern?: string;
  minProperties?: number;
}

const maxShownLength = 60;

/** E.g. "Expected scale to be one of 2, 4, 8, 16 but received 3 of type number." */
export function sentenceFor(errors: readonly SchemaError[], part: string): string {
  const refused = deciding(errors);
  if (refused === undefined) return `Expected a valid ${part}.`;
  const schema = schemaOf(refused.parentSchema);
  const field = fieldOf(refused.instancePath);
  const { missingProperty, additionalProperty } = refused.params;
  if (typeof missingProperty === 'string') {
    const expected = describe(schema.properties?.[missingProperty] ?? {});
    return `Expected ${join(field, missingProperty)} to be ${expected} but received nothing.`;
  }
  if (typeof additionalProperty === 'string') {
    const known = Object.keys(schema.properties ?? {}).join(', ');
    const fields = part === 'query' ? 'query parameters' : 'fields';
    return `Expected only the ${fields} ${known} but received ${join(field, additionalProperty)}.`;
  }
  const name = field === '' ? `the ${part}` : field;
  return `Expected ${name} to be ${describe(schema)} but received ${shown(refused.data)}.`;
}

/** The most useful error: of a union its own, not those of its branches. */
function deciding(errors: readonly SchemaError[]): SchemaError | undefined {
  return errors.findLast((error) => error.keyword === 'anyOf') ?? errors[0];
}

function fieldOf(instancePath: string): string {
  return instancePath.slice(1).replaceAll('/', '.').replaceAll('~1', '/').replaceAll('~0', '~');
}

function join(field: string, name: string): string {
  return field === '' ? name : `${field}.${name}`;
}

function schemaOf(value: unknown): JsonSchema {
  return typeof value === 'object' && value !== null ? value : {};
}

/** Phrase that follows "to be". */
export function describe(schema: JsonSchema): string {
  if (schema.const !== undefined) return `${schema.const}`;
  if (schema.enum !== undefined) return `one of ${schema.enum.join(', ')}`;
  if (schema.anyOf !== undefined) return describeUnion(schema.anyOf);
  switch (schema.type) {
    case 'string':
      return describeString(schema);
    case 'integer':
      return `a whole number${rangeOf(schema)}`;
    case 'number':
      return `a number${rangeOf(schema)}`;
    case 'boolean':
      return 'true or false';
    case 'array':
      return 'a list';
    case 'object':
      return describeObject(schema);
    default:
      return 'given';
  }
}

function describeUnion(branches: JsonSchema[]): string {
  if (branches.every((branch) => branch.const !== undefined))
    return `one of ${branches.map((branch) => String(branch.const)).join(', ')}`;
  return branches.map(describe).join(' or ');
}

function describeString({ pattern, ...lengths }: JsonSchema): string {
  const kind = describeLengths(lengths);
  return pattern === undefined ? kind : `${kind} that matches ${pattern}`;
}

function describeLengths({ minLength = 0, maxLength }: JsonSchema): string {
  if (maxLength !== undefined) return `a string of ${minLength} to ${maxLength} characters`;
  return minLength > 0 ? 'a string that is not empty' : 'a string';
}

function describeObject({ properties, minProperties }: JsonSchema): string {
  const names = Object.keys(properties ?? {});
  if (names.length === 0) return 'an object';
  const amount = minProperties === undefined ? 'with' : 'with at least one of';
  return `an object ${amount} ${names.join(', ')}`;
}

function rangeOf({ minimum, maximum }: JsonSchema): string {
  if (minimum !== undefined && maximum !== undefined) return ` from ${minimum} to ${maximum}`;
  if (minimum !== undefined) return ` of at least ${minimum}`;
  return maximum === undefined ? '' : ` of at most ${maximum}`;
}

/** E.g. "3 of type number"; long values are cut. */
function shown(value: unknown): string {
  if (value === undefined) return 'nothing';
  if (value === null) return 'null';
  const kind = Array.isArray(value) ? 'array' : typeof value;
  const text = JSON.stringify(typeof value === 'string' ? value.slice(0, maxShownLength) : value);
  const cut = text.length > maxShownLength ? `${text.slice(0, maxShownLength)}…` : text;
  return `${cut} of type ${kind}`;
}
