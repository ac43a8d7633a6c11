/** Optional fields without undefined values, as exactOptionalPropertyTypes requires. Pure. */

type Given<T> = { [Field in keyof T]?: Exclude<T[Field], undefined> };

/** Drops fields that are undefined. */
export function withoutUndefined<T extends object>(values: T): Given<T> {
  return Object.fromEntries(
    Object.entries(values).filter(([, value]) => value !== undefined),
  ) as Given<T>;
}

/** The fields among `names` that are not undefined. */
export function given<T extends object, Name extends keyof T>(
  values: T,
  names: readonly Name[],
): Pick<T, Name> {
  const entries = names.map((name) => [name, values[name]] as const);
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined)) as Pick<T, Name>;
}

export const namesOf = <T extends object>(fields: T) => Object.keys(fields) as (keyof T)[];
