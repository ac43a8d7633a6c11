/**
 * Rewrites schemas for OpenAPI 3.1, whose JSON Schema is of 2020-12, so that generators of clients read them. The
 * validator takes the older form of tuples. All here is pure.
 */

type Json = string | number | boolean | null | Json[] | { [key: string]: Json };
type SchemaObject = { [key: string]: Json };

/** @param document plain JSON; it is not changed */
export function asOpenApi<T>(document: T): T {
  return rewritten(document as Json) as T;
}

function rewritten(value: Json): Json {
  if (Array.isArray(value)) return value.map(rewritten);
  if (value === null || typeof value !== 'object') return value;
  const entries = Object.entries(value).map(([key, inner]) => [key, rewritten(inner)] as const);
  return asSingleTypes(asPrefixItems(Object.fromEntries(entries)));
}

/** A tuple is closed by `maxItems`: generators refuse `items: false`. */
function asPrefixItems({ items, additionalItems, ...schema }: SchemaObject): SchemaObject {
  if (Array.isArray(items)) return { ...schema, prefixItems: items, maxItems: items.length };
  return {
    ...schema,
    ...(items !== undefined && { items }),
    ...(additionalItems !== undefined && { additionalItems }),
  };
}

/** Generators make a type of the language from a list of choices, which must be all numbers or all texts. */
function asSingleTypes(schema: SchemaObject): SchemaObject {
  const { enum: choices, ...rest } = schema;
  if (!Array.isArray(choices)) return schema;
  const numbers = choices.filter((choice) => typeof choice === 'number');
  const texts = choices.filter((choice) => typeof choice === 'string');
  const isMixed = numbers.length > 0 && texts.length > 0;
  if (!isMixed || numbers.length + texts.length < choices.length) return schema;
  delete rest['type'];
  return {
    ...rest,
    anyOf: [
      { type: 'number', enum: numbers },
      { type: 'string', enum: texts },
    ],
  };
}
