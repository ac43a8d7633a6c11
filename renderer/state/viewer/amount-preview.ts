/**
 * Previews the strength of the model without running it: the network's result, at that opacity, over the plain
 * enlargement that the browser makes of the source. The engine does the same with a bicubic one. Pure.
 */
import type { Choices } from '../../../electron/contract/settings/page.ts';
import type { Dials } from '../options/dials.ts';

/** Later steps of finishing would change what is mixed, so they leave the preview to the engine. */
const isUnfinished = ({ sharpen, grain, keep }: Pick<Choices, 'sharpen' | 'grain' | 'keep'>) =>
  sharpen === 0 && grain === 0 && keep === '';

/** Opacity, 0..1, of results of a try that are requested at full strength; undefined: the engine mixes. */
export function triedOpacity(dials: Dials, keep: Choices['keep']): number | undefined {
  return isUnfinished({ ...dials, keep }) ? dials.amount / 100 : undefined;
}

/**
 * Opacity, 0..1, of a finished enlargement as the changed settings would have it; undefined where that cannot be
 * told from the result: it was mixed already, or the model would be used on a part of the photo.
 */
export function draftOpacity(made: Choices, draft: Choices | undefined): number | undefined {
  if (draft === undefined || made.operation !== 'upscale' || draft.operation !== 'upscale')
    return undefined;
  const isWhole = made.amountMask === '' && draft.amountMask === '';
  if (!isWhole || made.amount !== 100 || draft.amount === 100) return undefined;
  return isUnfinished(made) && isUnfinished(draft) ? draft.amount / 100 : undefined;
}
