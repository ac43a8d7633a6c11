/** What this tab noted of photos, which a reload keeps: values of one kind by the keys of the photos. */
export function readNoted<Value>(
  storageName: string,
  isValue: (value: unknown) => value is Value,
): Map<string, Value> {
  const stored: unknown = JSON.parse(sessionStorage.getItem(storageName) ?? '{}');
  if (typeof stored !== 'object' || stored === null) return new Map();
  return new Map(
    Object.entries(stored).filter((entry): entry is [string, Value] => isValue(entry[1])),
  );
}

export function writeNoted(storageName: string, noted: Iterable<readonly [string, unknown]>): void {
  sessionStorage.setItem(storageName, JSON.stringify(Object.fromEntries(noted)));
}
