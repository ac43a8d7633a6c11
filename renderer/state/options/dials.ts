/** Converts between the dials of a try, which are tried beside the model, and settings. It is pure. */
import { pickDefined, keysOf } from '../../../packages/contract/src/pick-defined.ts';
import type { Choices } from '../../../packages/contract/src/settings/page.ts';
import { finishingChoices } from '../../../packages/contract/src/request.ts';

/** Each of these fields is done beside enlarging, by a strength. */
export const dialNames = keysOf(finishingChoices).filter((name) => name !== 'keep');
export type Dials = Pick<Choices, (typeof dialNames)[number]>;

/** Whether a dial may be `auto`, which is as much as was measured. */
export const followsPhoto = (name: keyof Dials): boolean => 'anyOf' in finishingChoices[name];

export const dialsOf = (choices: Choices): Dials => pickDefined(choices, dialNames);

/** A person liked this model and these dials on a try. */
export interface TrialChoice {
  operation: Choices['operation'];
  model: string;
  /** Undefined: the size stays as it is set. */
  scale?: Choices['scale'];
  dials: Dials;
}

/** Returns what was liked as settings have it. */
export function choicesLiked({ operation, model, scale, dials }: TrialChoice): Partial<Choices> {
  if (operation === 'remove-bg') return { remover: model };
  const sized = scale === undefined ? {} : { sizing: 'scale' as const, scale };
  return { upscaler: model, ...sized, ...dials };
}

/** Returns what can be tried of a photo: the chosen half of one that is cut out and enlarged. */
export function triedOf(
  { operation, isEnlarged }: Choices,
  chosen: Choices['operation'],
): Choices['operation'] {
  return operation === 'remove-bg' && isEnlarged ? chosen : operation;
}
