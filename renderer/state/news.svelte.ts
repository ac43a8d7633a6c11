/** What the service said that it is another now: whoever shows it reads it again. */
import { SvelteMap } from 'svelte/reactivity';
import type { Changed } from '../../electron/contract/admin.ts';

export type NewsName = Changed['changed'][number] | 'queue';

export class News {
  readonly #told = new SvelteMap<NewsName, number>();

  note(names: readonly NewsName[]): void {
    for (const name of names) this.#told.set(name, (this.#told.get(name) ?? 0) + 1);
  }

  /** An effect that asks this runs again whenever one of them is told of. */
  follow(...names: NewsName[]): void {
    for (const name of names) this.#told.get(name);
  }
}
