/** Schemas that several resources share. */
import { Type, type Static, type TObjectOptions, type TProperties, type TSchema } from 'typebox';
import { hasQuality, outputFormats } from './formats.ts';

/** An ISO 8601 date and time in UTC, as `Date.prototype.toISOString` writes it. */
export const Timestamp = Type.String({ description: 'ISO 8601, UTC.' });

/** An object that has no other fields. */
export const closed = <T extends TProperties>(properties: T, options: TObjectOptions = {}) =>
  Type.Object(properties, { additionalProperties: false, ...options });

/** The same under the name that the documentation has for it. */
export const named = <T extends TProperties>(
  $id: string,
  properties: T,
  options?: TObjectOptions,
) => closed(properties, { $id, ...options });

/** The same fields, none of which may be left out. */
export const required = <T extends TProperties>(fields: T) =>
  Type.Required(Type.Object(fields)).properties;

/** Between which numbers a value of a schema lies; of a union, those of its number. */
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

/** What every failed request answers. `code` is stable, `message` is for people. */
export const ErrorBody = named('Error', {
  statusCode: Type.Integer(),
  code: Type.String(),
  error: Type.String(),
  message: Type.String(),
});
export type ErrorBody = Static<typeof ErrorBody>;

/** One of a list of words or numbers; as Static the union of them. */
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

/** 1 is the cleaning of a photo without enlarging it. */
export const anyScales = [1, ...scales] as const;
export const AnyScale = oneOf(anyScales, {
  description:
    'How many times as wide and as high the result is. 1 cleans without enlarging, and is allowed beside model, restore or grain only.',
});
export type AnyScale = (typeof anyScales)[number];

export const bitDepths = [8, 16] as const;
export type BitDepth = (typeof bitDepths)[number];

/** What a file that is written may be given: its quality and its bits a channel. */
export const Quality = Type.Integer({
  minimum: 1,
  maximum: 100,
  description: `For ${outputFormats.filter(hasQuality).join(', ')}; 100 makes a jxl lossless.`,
});
export const BitDepthChoice = Type.Union([Type.Literal(8), Type.Literal(16), Type.Literal('same')]);
