/** Passes on what the service tells to have changed, so that whoever shows it reads it again. */
import type { SettingsChange } from '../../electron/contract/settings/settings.ts';

export type NewsName = SettingsChange['changed'][number] | 'queue';

export class News {
  /** Counts how often each name was told of. Each is followed by itself, also one that never was told of. */
  readonly #told: Partial<Record<NewsName | 'connection', number>> = $state({});

  note(names: readonly NewsName[]): void {
    for (const name of names) this.#told[name] = this.#times(name) + 1;
  }

  /** Notes a connection, because nobody was told of what changed before it. */
  connect(): void {
    this.#told.connection = this.#times('connection') + 1;
  }

  /** Makes the effect that calls it run again when one of the names is told of, or may have changed untold. */
  follow(...names: NewsName[]): void {
    for (const name of ['connection', ...names] as const) void this.#times(name);
  }

  #times(name: NewsName | 'connection'): number {
    return this.#told[name] ?? 0;
  }
}
