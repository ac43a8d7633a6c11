/**
 * Maps selected columns to row types: columns are selected under the fields' names, NULL stands for an absent
 * field, and a malformed JSON column affects only its own row.
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

/** Returns undefined if the text is not JSON. */
export function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Returns undefined if the text is not a JSON object. */
export function readObject(text: string | null): JsonObject | undefined {
  const value = text === null ? undefined : readJson(text);
  return isObject(value) ? value : undefined;
}

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
