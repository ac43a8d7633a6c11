/**
 * Announces which settings and resources changed, by name without values: authorised clients read them again.
 */
import type { SettingsChange } from '../../../packages/contract/src/settings/settings.ts';

export type ChangedName = SettingsChange['changed'][number];

export interface ChangeBus {
  note(names: readonly ChangedName[]): void;
  /** @returns the function that unsubscribes */
  subscribe(listener: (names: readonly ChangedName[]) => void): () => void;
}

export function createChangeBus(): ChangeBus {
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
