/** Which setting holds the default model of each task. */
import type { Settings } from './settings.ts';
import type { ModelTask } from '../models/model.ts';

export const defaultSettings = {
  upscale: 'defaultUpscaler',
  'remove-bg': 'defaultRemover',
  select: 'defaultSelector',
} as const satisfies Record<ModelTask, keyof Settings>;
