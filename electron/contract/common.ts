/** Several resources share these schemas. */
import { Type, type Static, type TObjectOptions, type TProperties, type TSchema } from 'typebox';
import { hasQuality, outputFormats } from './formats.ts';

/** `Date.prototype.toISOString` writes this: an ISO 8601 date and time in UTC. */
export const Timestamp = Type.String({ description: 'ISO 8601, UTC.' });

/** Makes the schema of an object that has no other fields. */
export const closed = <T extends TProperties>(properties: T, options: TObjectOptions = {}) =>
  Type.Object(properties, { additionalProperties: false, ...options });

/** Makes the same under the name that the documentation has for it. */
export const named = <T extends TProperties>(
  $id: string,
  properties: T,
  options?: TObjectOptions,
) => closed(properties, { $id, ...options });

/** Answers the same fields, none of which may be left out. */
export const required = <T extends TProperties>(fields: T) =>
  Type.Required(Type.Object(fields)).properties;

/** Answers the numbers between which a value of a schema lies; a union has those of its number. */
export function boundsOf(schema: TSchema): { min: number; max: number } {
  const {
    anyOf = [],
    exclusiveMinimum = -Infinity,
    minimum = exclusiveMinimum,
    maximum = Infinity,
  } = schema as {
    anyOf?: TSchema[];
    minimum?: number;
    exclusiveMinimum?: number;
    maximum?: number;
  };
  const ranged = anyOf.find((branch) => 'maximum' in branch);
  return ranged === undefined ? { min: minimum, max: maximum } : boundsOf(ranged);
}

/** Every failed request answers this. `code` is stable, `message` is for people. */
export const ErrorBody = named('Error', {
  statusCode: Type.Integer(),
  code: Type.String(),
  error: Type.String(),
  message: Type.String(),
});
export type ErrorBody = Static<typeof ErrorBody>;

/** Makes the schema of one of a list of words or numbers, whose Static is the union of them. */
export function oneOf<const Values extends (string | number)[]>(
  values: readonly [...Values],
  options: { description?: string; default?: Values[number] } = {},
) {
  return Type.Enum<Values>(values, options);
}

export const scales = [2, 4, 8, 16] as const;
export const Scale = oneOf(scales, {
  description: 'How many times as wide and as high the result is.',
});
export type Scale = (typeof scales)[number];

/** A scale of 1 cleans a photo without enlarging it. */
export const anyScales = [1, ...scales] as const;
export const AnyScale = oneOf(anyScales, {
  description:
    'How many times as wide and as high the result is. 1 cleans without enlarging, and is allowed beside model, restore or grain only.',
});
export type AnyScale = (typeof anyScales)[number];

export const bitDepths = [8, 16] as const;
export type BitDepth = (typeof bitDepths)[number];

/** A file is written with this quality, and with as many bits a channel as BitDepthChoice says. */
export const Quality = Type.Integer({
  minimum: 1,
  maximum: 100,
  description: `For ${outputFormats.filter(hasQuality).join(', ')}; 100 makes a jxl lossless.`,
});
export const BitDepthChoice = Type.Union([Type.Literal(8), Type.Literal(16), Type.Literal('same')]);
