/**
 * Reads rows as statements select them. Columns bear the names of a row's fields, and NULL stands for a field that is
 * absent. A column of JSON that holds none is its row's own fault, and never that of the list in which it stands.
 */
export type Columns<Row> = {
  [Name in keyof Row]-?: object extends Pick<Row, Name>
    ? Exclude<Row[Name], undefined> | null
    : Row[Name];
};

export function rowOf<Row extends object>(columns: Columns<Row>): Row {
  const row: Partial<Row> = {};
  for (const name in columns) if (columns[name] !== null) row[name] = columns[name];
  return row as Row;
}

export type JsonObject = Record<string, unknown>;

/** Answers undefined for what is no JSON. */
export function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Answers undefined for what is no JSON object. */
export function readObject(text: string | null): JsonObject | undefined {
  const value = text === null ? undefined : readJson(text);
  return isObject(value) ? value : undefined;
}

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
