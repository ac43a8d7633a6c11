/** Holds the presets of the service, and changes them. */
import type { Choices } from '../../../packages/contract/src/settings/page.ts';
import {
  type Preset,
  freePresetName,
  readPresets,
  writePresets,
} from '../../../packages/contract/src/settings/preset.ts';
import type { Client } from '../../../packages/api-client/src/client.ts';
import { choicesOf, requestOf } from '../options/choices.ts';
import { refusalIn, unlessRefused, type Problem } from '../../api/calls.svelte.ts';

/** In the window it does what the button of its name does: it also enlarges what is smaller than its canvas. */
const shippedShopPicture = 'shipped-3';

export class Presets {
  all = $state.raw<Preset[]>([]);
  /** Error of the last change. */
  problem = $state.raw<Problem>();
  readonly #client: Client;

  constructor(client: Client) {
    this.#client = client;
  }

  /** Reads the presets, which stay as they were while the service does not answer. */
  async load(): Promise<void> {
    this.all = (await unlessRefused(this.#client.presets())) ?? this.all;
  }

  save(name: string, choices: Choices): Promise<boolean> {
    const { operation, options } = requestOf(choices);
    // Watched folders and other programs take presets, too, and nobody accepts or rejects there.
    delete options.oneVersion;
    delete options.onlyAccepted;
    return this.#change(() => this.#client.addPreset({ name, operation, options }));
  }

  rename({ id }: Preset, name: string): Promise<boolean> {
    return this.#change(() => this.#client.changePreset(id, { name }));
  }

  remove({ id }: Preset): Promise<boolean> {
    return this.#change(() => this.#client.removePreset(id));
  }

  choicesOf({ id, operation, options }: Preset): Choices {
    const choices = choicesOf({ operation, options });
    return id === shippedShopPicture ? { ...choices, isEnlarged: true } : choices;
  }

  asFile(): string {
    return writePresets(this.all);
  }

  /**
   * Adds the presets of a file, and answers how many the service took; it is undefined for a file that is not
   * one of presets. A preset whose name is taken gets a number.
   */
  async takeFile(json: string): Promise<number | undefined> {
    const presets = readPresets(json);
    if (presets === undefined) return undefined;
    let taken = 0;
    for (const preset of presets) {
      const names = this.all.map(({ name }) => name);
      const body = { ...preset, name: freePresetName(preset.name, names) };
      if (!(await this.#change(() => this.#client.addPreset(body)))) break;
      taken += 1;
    }
    return taken;
  }

  async #change(action: () => Promise<unknown>): Promise<boolean> {
    this.problem = await refusalIn(action);
    if (this.problem !== undefined) return false;
    await this.load();
    return true;
  }
}
