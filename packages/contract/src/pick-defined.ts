/** Optional fields without undefined values, as exactOptionalPropertyTypes requires. Pure. */

type DefinedFields<T> = { [Field in keyof T]?: Exclude<T[Field], undefined> };

/** Drops fields that are undefined. */
export function omitUndefined<T extends object>(values: T): DefinedFields<T> {
  return Object.fromEntries(
    Object.entries(values).filter(([, value]) => value !== undefined),
  ) as DefinedFields<T>;
}

/** The fields among `names` that are not undefined. */
export function pickDefined<T extends object, Name extends keyof T>(
  values: T,
  names: readonly Name[],
): Pick<T, Name> {
  const entries = names.map((name) => [name, values[name]] as const);
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined)) as Pick<T, Name>;
}

export const keysOf = <T extends object>(fields: T) => Object.keys(fields) as (keyof T)[];
