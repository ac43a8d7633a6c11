/** What the service told to be another now: whoever shows it reads it again. */
import type { Changed } from '../../electron/contract/admin.ts';

export type NewsName = Changed['changed'][number] | 'queue';

export class News {
  /** How often each was told of. A name that never was is followed by itself too, and not with all others. */
  readonly #told: Partial<Record<NewsName | 'connection', number>> = $state({});

  note(names: readonly NewsName[]): void {
    for (const name of names) this.#told[name] = this.#times(name) + 1;
  }

  /** What changed before a connection was told to nobody. */
  connect(): void {
    this.#told.connection = this.#times('connection') + 1;
  }

  /** An effect that asks this runs again whenever one of them is told of, or may have changed untold. */
  follow(...names: NewsName[]): void {
    for (const name of ['connection', ...names] as const) void this.#times(name);
  }

  #times(name: NewsName | 'connection'): number {
    return this.#told[name] ?? 0;
  }
}
