/** Finds the origin in what a person typed, such as a whole address; it is undefined when there is none. */
export function asOrigin(typed: string): string | undefined {
  if (/\s/.test(typed)) return undefined;
  const url = URL.parse(typed.includes('://') ? typed : `https://${typed}`);
  return url !== null && /^https?:$/.test(url.protocol) ? url.origin : undefined;
}
