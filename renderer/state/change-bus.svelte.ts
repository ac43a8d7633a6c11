/** Reruns effects when the service reports that something they show has changed. */
import type { SettingsChange } from '../../packages/contract/src/settings/settings.ts';

export type ChangeName = SettingsChange['changed'][number] | 'queue';

export class ChangeBus {
  /** Number of changes of each name. Each name is a dependency by itself, also before its first change. */
  readonly #counts: Partial<Record<ChangeName | 'connection', number>> = $state({});

  note(names: readonly ChangeName[]): void {
    for (const name of names) this.#counts[name] = this.#countOf(name) + 1;
  }

  /** Counts as a change of everything: what changed before the connection was not reported. */
  connect(): void {
    this.#counts.connection = this.#countOf('connection') + 1;
  }

  /** Makes the calling effect depend on the names and on the connection. */
  follow(...names: ChangeName[]): void {
    for (const name of ['connection', ...names] as const) void this.#countOf(name);
  }

  #countOf(name: ChangeName | 'connection'): number {
    return this.#counts[name] ?? 0;
  }
}
