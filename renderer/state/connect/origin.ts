/** The origin of what a person typed: an address is cut down to it. Undefined when there is none in it. */
export function asOrigin(typed: string): string | undefined {
  if (/\s/.test(typed)) return undefined;
  const url = URL.parse(typed.includes('://') ? typed : `https://${typed}`);
  return url !== null && /^https?:$/.test(url.protocol) ? url.origin : undefined;
}
