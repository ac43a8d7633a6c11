/** Fields may be left out, but are never undefined under exactOptionalPropertyTypes. All here is pure. */

type Given<T> = { [Field in keyof T]?: Exclude<T[Field], undefined> };

/** Answers the fields that have a value. */
export function withoutUndefined<T extends object>(values: T): Given<T> {
  return Object.fromEntries(
    Object.entries(values).filter(([, value]) => value !== undefined),
  ) as Given<T>;
}

/** Answers the fields among `names` that have a value. */
export function given<T extends object, Name extends keyof T>(
  values: T,
  names: readonly Name[],
): Pick<T, Name> {
  const entries = names.map((name) => [name, values[name]] as const);
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined)) as Pick<T, Name>;
}

export const namesOf = <T extends object>(fields: T) => Object.keys(fields) as (keyof T)[];
