/** Tells which settings changed, by name and without a value: who may read one reads it again. */
import type { Changed } from '../../contract/settings/settings.ts';

export type ChangedName = Changed['changed'][number];

export interface ChangeNews {
  note(names: readonly ChangedName[]): void;
  /** Answers the function that ends the subscription. */
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
