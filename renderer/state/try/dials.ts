/** What is tried beside the model: a try's dials, and the settings that they become. Pure. */
import { given, namesOf } from '../../../electron/contract/given.ts';
import type { Choices } from '../../../electron/contract/page.ts';
import { finishingChoices } from '../../../electron/contract/submit.ts';
import { enlargementOf, type Options } from '../settings/choices.ts';

/** What is done beside enlarging by a strength. */
export const dialNames = namesOf(finishingChoices).filter((name) => name !== 'keep');
export type Dials = Pick<Choices, (typeof dialNames)[number]>;

/** Whether it may be `auto`, as much as was measured. */
export const followsPhoto = (name: keyof Dials): boolean => 'anyOf' in finishingChoices[name];

export const dialsOf = (choices: Choices): Dials => given(choices, dialNames);

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

/** `choices`: of the photo that becomes a version; of one that is cut out and enlarged, half is changed. */
export function optionsLiked(liked: Liked, choices: Choices): Options {
  const { operation, model, scale, dials } = liked;
  if (operation === 'remove-bg') return { model };
  if (choices.operation === 'upscale') return { model, scale, ...dials };
  return { enlarge: enlargementOf({ ...choices, ...choicesLiked(liked) }) };
}

/** What can be tried of a photo: of one that is cut out and enlarged, what was chosen of both. */
export function triedOf(
  { operation, isEnlarged }: Choices,
  chosen: Choices['operation'],
): Choices['operation'] {
  return operation === 'remove-bg' && isEnlarged ? chosen : operation;
}
