/**
 * Holds what the service remembers for this page: the choices for new photos, and how a person works with the
 * page. The window and a browser's tab show the same. A change takes effect here at once. The service is told
 * by one request at a time, and again after it was away.
 */
import type { SettingsPatch } from '../../../packages/contract/src/settings/settings.ts';
import {
  defaultChoices,
  defaultPageSettings,
  type Choices,
  type PageSettings,
} from '../../../packages/contract/src/settings/page.ts';
import type { Client } from '../../../packages/api-client/src/client.ts';
import { refusalOf, unlessRefused, type Problem } from '../../api/calls.svelte.ts';
import { isAway } from '../../api/connection.svelte.ts';

type PagePatch = Pick<SettingsPatch, 'newPhotos' | 'page'>;

export class Remembered {
  newPhotos = $state.raw<Choices>(defaultChoices);
  page = $state.raw<PageSettings>(defaultPageSettings);
  /** Error of the last change that the service refused. */
  problem = $state.raw<Problem>();
  readonly #client: Pick<Client, 'settings' | 'changeSettings'>;
  /** The service does not know these changes yet. */
  #unsent: PagePatch | undefined;
  #sending: Promise<void> | undefined;
  #changes = 0;
  #isLoaded = false;

  constructor(client: Pick<Client, 'settings' | 'changeSettings'>) {
    this.#client = client;
  }

  change(change: PagePatch): void {
    this.#changes += 1;
    this.#show(change);
    this.#unsent = merged(this.#unsent, change);
    void this.#send();
  }

  /** Reads the settings, which stay while the service does not answer. Changes made meanwhile stay, too. */
  async load(): Promise<void> {
    await this.#send();
    const before = this.#changes;
    const settings = await unlessRefused(this.#client.settings());
    if (settings === undefined || this.#unsent !== undefined || this.#changes !== before) return;
    const { newPhotos, page } = settings;
    this.#show({ newPhotos: this.#isLoaded ? newPhotos : withoutUpload(newPhotos), page });
    this.#isLoaded = true;
  }

  #show({ newPhotos, page }: PagePatch): void {
    this.newPhotos = { ...this.newPhotos, ...newPhotos };
    this.page = { ...this.page, ...page };
  }

  #send(): Promise<void> {
    this.#sending ??= this.#sendAll().finally(() => (this.#sending = undefined));
    return this.#sending;
  }

  #putBack(change: PagePatch): void {
    this.#unsent = merged(change, this.#unsent ?? {});
  }

  async #sendAll(): Promise<void> {
    while (this.#unsent !== undefined) {
      const change = this.#unsent;
      this.#unsent = undefined;
      try {
        await this.#client.changeSettings(change);
        this.problem = undefined;
      } catch (error) {
        const refusal = refusalOf(error);
        // The page shows that the service is away; the changes are sent when it is back.
        if (isAway(refusal)) {
          this.#putBack(change);
          return;
        }
        this.problem = refusal;
      }
    }
  }
}

function merged(older: PagePatch | undefined, newer: PagePatch): PagePatch {
  return {
    newPhotos: { ...older?.newPhotos, ...newer.newPhotos },
    page: { ...older?.page, ...newer.page },
  };
}

/** Leaves out a background picture that was uploaded on an earlier visit, because it is gone. */
const withoutUpload = (choices: Choices): Choices =>
  choices.backgroundImage.includes('/api/uploads/') ? { ...choices, backgroundImage: '' } : choices;
