/**
 * What this tab noted of photos, which a reload keeps: values of one kind by the keys of the photos. Empty for what
 * something else stored.
 */
export function readNoted<Value>(
  storageName: string,
  isValue: (value: unknown) => value is Value,
): Map<string, Value> {
  const entries: [string, unknown][] = Object.entries(Object(storedValue(storageName)) as object);
  return new Map(entries.filter((entry): entry is [string, Value] => isValue(entry[1])));
}

function storedValue(storageName: string): unknown {
  try {
    return JSON.parse(sessionStorage.getItem(storageName) ?? '{}');
  } catch {
    return undefined;
  }
}

export function writeNoted(storageName: string, noted: Iterable<readonly [string, unknown]>): void {
  sessionStorage.setItem(storageName, JSON.stringify(Object.fromEntries(noted)));
}
