/** Schemas shared by several resources. */
import {
  IsOptional,
  Type,
  type Static,
  type TObjectOptions,
  type TOptional,
  type TProperties,
  type TSchema,
} from 'typebox';
import { hasQuality, outputFormats } from './formats.ts';

/** As `Date.prototype.toISOString` writes it: ISO 8601, UTC. */
export const Timestamp = Type.String({ description: 'ISO 8601, UTC.' });

/** Object schema without additional properties. */
export const closed = <T extends TProperties>(properties: T, options: TObjectOptions = {}) =>
  Type.Object(properties, { additionalProperties: false, ...options });

/** The same, with the name that the documentation shows. */
export const named = <T extends TProperties>(
  $id: string,
  properties: T,
  options?: TObjectOptions,
) => closed(properties, { $id, ...options });

/*
 * Type.Partial, Type.Omit and Type.Required are the same for any type, and bring TypeBox's interpreter of types: 10 kB
 * (gzipped) of the page's scripts.
 */

/** The same fields, all optional. */
export const optional = <T extends TProperties>(fields: T) =>
  Object.fromEntries(
    Object.entries(fields).map(([name, schema]) => [name, Type.Optional(schema)]),
  ) as { [Name in keyof T]: TOptional<T[Name]> };

/** The same fields, all required. */
export const required = <T extends TProperties>(fields: T) =>
  Object.fromEntries(
    Object.entries(fields).map(([name, schema]) => [name, withoutMark(schema)]),
  ) as { [Name in keyof T]: T[Name] extends TOptional<infer Schema> ? Schema : T[Name] };

/** All fields but the named ones. */
export const omit = <T extends TProperties, const Names extends readonly (keyof T)[]>(
  fields: T,
  names: Names,
) =>
  Object.fromEntries(Object.entries(fields).filter(([name]) => !names.includes(name))) as Omit<
    T,
    Names[number]
  >;

/** A schema is marked as optional by a property that is not enumerable. */
function withoutMark(schema: TSchema): TSchema {
  if (!IsOptional(schema)) return schema;
  const own = Object.entries(Object.getOwnPropertyDescriptors(schema));
  return Object.defineProperties(
    {},
    Object.fromEntries(own.filter(([name]) => name !== '~optional')),
  );
}

/** Bounds of a numeric schema; of a union those of its number. */
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

/** Body of every failed request. `code` is stable, `message` for people. */
export const ErrorBody = named('Error', {
  statusCode: Type.Integer(),
  code: Type.String(),
  error: Type.String(),
  message: Type.String(),
});
export type ErrorBody = Static<typeof ErrorBody>;

/** Schema of a literal union. */
export function oneOf<const Values extends (string | number)[]>(
  values: readonly [...Values],
  options: { description?: string; default?: Values[number] } = {},
) {
  return Type.Enum<Values>(values, options);
}

export const scales = [2, 4, 8, 16] as const;
export const Scale = oneOf(scales, {
  description: 'Factor by which width and height grow.',
});
export type Scale = (typeof scales)[number];

/** Scale 1 cleans a photo without enlarging it. */
export const anyScales = [1, ...scales] as const;
export const AnyScale = oneOf(anyScales, {
  description:
    'Factor by which width and height grow. 1 cleans without enlarging and needs model, restore or grain.',
});
export type AnyScale = (typeof anyScales)[number];

export const bitDepths = [8, 16] as const;
export type BitDepth = (typeof bitDepths)[number];

/** Quality of a lossy format, 1-100. */
export const Quality = Type.Integer({
  minimum: 1,
  maximum: 100,
  description: `For ${outputFormats.filter(hasQuality).join(', ')}; 100 makes a jxl lossless.`,
});
export const BitDepthChoice = Type.Union([Type.Literal(8), Type.Literal(16), Type.Literal('same')]);
