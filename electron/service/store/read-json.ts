/** A column of JSON. What is none is its row's own fault, and never that of the list in which it stands. */

export type JsonObject = Record<string, unknown>;

/** Undefined for what is no JSON. */
export function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Undefined for what is no JSON object. */
export function readObject(text: string | null): JsonObject | undefined {
  const value = text === null ? undefined : readJson(text);
  return isObject(value) ? value : undefined;
}

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
