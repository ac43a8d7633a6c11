/** Readers of field values. @throws FieldRefused for values that are not allowed */
import { FieldRefused } from './refusal.ts';

export type Read = (field: string) => string | undefined;

export function oneOfField<const T extends string>(
  read: Read,
  field: string,
  allowed: readonly T[],
  defaultValue: NoInfer<T>,
): T {
  const received = read(field);
  if (received === undefined) return defaultValue;
  const found = allowed.find((one) => one.toLowerCase() === received.toLowerCase());
  if (found !== undefined) return found;
  throw refusedValue(field, `one of ${allowed.join(', ')}`, received);
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

export function flagField(read: Read, field: string, defaultValue = false): boolean {
  const received = read(field);
  if (received === undefined) return defaultValue;
  const found = words[received.toLowerCase()];
  if (found === undefined) throw refusedValue(field, 'true or false', received);
  return found;
}

export function integerField(
  read: Read,
  field: string,
  {
    min = 0,
    max = Number.MAX_SAFE_INTEGER,
    defaultValue,
  }: { min?: number; max?: number; defaultValue: number },
): number {
  const received = read(field);
  if (received === undefined) return defaultValue;
  const value = Number(received);
  if (/^-?\d{1,15}$/.test(received) && value >= min && value <= max) return value;
  const upTo = max === Number.MAX_SAFE_INTEGER ? `of at least ${min}` : `from ${min} to ${max}`;
  throw refusedValue(field, `a whole number ${upTo}`, received);
}

export function refusedValue(field: string, expected: string, received: string): FieldRefused {
  const shown = received.length > 60 ? `${received.slice(0, 60)}…` : received;
  return new FieldRefused(
    field,
    `Expected ${field} to be ${expected} but received ${JSON.stringify(shown)}.`,
  );
}
