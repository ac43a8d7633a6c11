/** What is tried beside the model: a try's dials, and the settings that they become. Pure. */
import type { Choices } from '../../electron/contract/page.ts';
import type { Grain, Restore } from '../../electron/contract/submit.ts';

export interface Dials {
  restore: Restore;
  grain: Grain;
  sharpen: number;
}

export const dialsOf = ({ restore, grain, sharpen }: Choices): Dials => ({
  restore,
  grain,
  sharpen,
});

/** What was liked on a try: as settings have it, and as a submit does. */
export interface Liked {
  operation: Choices['operation'];
  model: string;
  scale: Choices['scale'];
  dials: Dials;
}

export function choicesLiked({ operation, model, scale, dials }: Liked): Partial<Choices> {
  if (operation === 'remove-bg') return { remover: model };
  return { upscaler: model, sizing: 'scale', scale, ...dials };
}

export function optionsLiked({ operation, model, scale, dials }: Liked) {
  return operation === 'remove-bg' ? { model } : { model, scale, ...dials };
}
