/** Where bytes lie between machines. Names are of letters, digits, `-`, `_` and `.`, with `/` between them. */
import type { Readable } from 'node:stream';
import { OwnWords } from '../../../contract/faults.ts';

export interface PoolStorage {
  /** Appears whole under its name or not at all. */
  write(name: string, bytes: Readable, signal: AbortSignal): Promise<void>;
  /** Throws SOURCE_UNREACHABLE where it is not there. */
  read(name: string, signal: AbortSignal): Promise<Readable>;
  /** Removes all names that begin with the prefix and `/`. What is not there is no failure. */
  removeAll(prefix: string): Promise<void>;
  /** The first parts, up to `/`, of all names that begin with the prefix and `/`. */
  list(prefix: string): Promise<string[]>;
  /** Resolves when it can be written and read. Throws a sentence. */
  check(): Promise<void>;
  close(): void;
}

const part = /^[\w-][\w.-]*$/;

/** Throws for a name that would lead elsewhere: they come from other machines too. */
export function assertName(name: string): void {
  if (name.length <= 300 && name.split('/').every((one) => part.test(one))) return;
  throw new OwnWords(
    `Expected the name of a pool's file but received ${JSON.stringify(name.slice(0, 300))}.`,
  );
}
