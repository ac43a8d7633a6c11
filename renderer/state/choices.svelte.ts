/** What is done with the photos that are started next. Remembered by the browser. */
import type { BitDepth, OutputFormat, Scale } from '../../electron/contract/common.ts';
import type { MetadataChoice } from '../../electron/contract/task.ts';
import type { Choices } from './queue.svelte.ts';

export const scales: readonly Scale[] = [2, 4, 8, 16];
export const formats: readonly OutputFormat[] = ['jpeg', 'png', 'webp', 'tiff', 'avif'];
/** Where quality means something. */
const lossyFormats: readonly string[] = ['same', 'jpeg', 'webp', 'avif'];
const storageName = 'enlarger.choices';

interface Stored {
  scale: Scale;
  model: string;
  format: OutputFormat | 'same';
  quality: number;
  bitDepth: BitDepth | 'same';
  metadata: MetadataChoice;
  saveTo: string;
}

const defaults: Stored = {
  scale: 2,
  model: '',
  format: 'same',
  quality: 92,
  bitDepth: 'same',
  metadata: 'keep',
  saveTo: '',
};

export class ChoicesState {
  values = $state<Stored>({ ...defaults, ...readStored() });
  readonly hasQuality = $derived(lossyFormats.includes(this.values.format));

  remember(): void {
    localStorage.setItem(storageName, JSON.stringify(this.values));
  }

  /** As the API takes them. */
  body(): Choices {
    const { scale, model, format, quality, bitDepth, metadata, saveTo } = this.values;
    return {
      scale,
      format,
      bitDepth,
      metadata,
      ...(this.hasQuality && { quality }),
      ...(model !== '' && { model }),
      ...(saveTo !== '' && { saveTo }),
    };
  }
}

function readStored(): Partial<Stored> {
  try {
    return JSON.parse(localStorage.getItem(storageName) ?? '{}') as Partial<Stored>;
  } catch {
    return {};
  }
}
