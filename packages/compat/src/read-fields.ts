/** Reads the values of a family's fields. Each function throws FieldRefused for a value that is not allowed. */
import { FieldRefused } from './refusal.ts';

export type Read = (field: string) => string | undefined;

export function oneOfField<const T extends string>(
  read: Read,
  field: string,
  allowed: readonly [T, ...T[]],
  usual: NoInfer<T>,
): T {
  const given = read(field);
  if (given === undefined) return usual;
  const found = allowed.find((one) => one.toLowerCase() === given.toLowerCase());
  if (found !== undefined) return found;
  throw refused(field, `one of ${allowed.join(', ')}`, given);
}

const words: Record<string, boolean> = {
  true: true,
  false: false,
  '1': true,
  '0': false,
  yes: true,
  no: false,
  on: true,
  off: false,
};

export function flagField(read: Read, field: string, usual = false): boolean {
  const given = read(field);
  if (given === undefined) return usual;
  const found = words[given.toLowerCase()];
  if (found === undefined) throw refused(field, 'true or false', given);
  return found;
}

export function integerField(
  read: Read,
  field: string,
  {
    least = 0,
    most = Number.MAX_SAFE_INTEGER,
    usual,
  }: { least?: number; most?: number; usual: number },
): number {
  const given = read(field);
  if (given === undefined) return usual;
  const value = Number(given);
  if (/^-?\d{1,15}$/.test(given) && value >= least && value <= most) return value;
  const upTo =
    most === Number.MAX_SAFE_INTEGER ? `of at least ${least}` : `from ${least} to ${most}`;
  throw refused(field, `a whole number ${upTo}`, given);
}

export function refused(field: string, expected: string, given: string): FieldRefused {
  const shown = given.length > 60 ? `${given.slice(0, 60)}…` : given;
  return new FieldRefused(
    field,
    `Expected ${field} to be ${expected} but received ${JSON.stringify(shown)}.`,
  );
}
