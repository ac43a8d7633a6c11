/** Columns of JSON are read here. What is no JSON is its row's own fault, and never that of the list it stands in. */

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
