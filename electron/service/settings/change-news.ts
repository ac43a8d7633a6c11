/** Tells what is another now, by its name and without its value: who may read it reads it again. */
import type { Changed } from '../../contract/admin.ts';

export type ChangedName = Changed['changed'][number];

export interface ChangeNews {
  note(names: readonly ChangedName[]): void;
  /** Answers the function that ends it. */
  subscribe(listener: (names: readonly ChangedName[]) => void): () => void;
}

export function createChangeNews(): ChangeNews {
  const listeners = new Set<(names: readonly ChangedName[]) => void>();
  return {
    note(names) {
      for (const listener of [...listeners]) listener(names);
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}
