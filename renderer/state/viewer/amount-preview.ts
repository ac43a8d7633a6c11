/**
 * Previews the strength of the model without running it: the network's result, at that opacity, over the plain
 * enlargement that the browser makes of the source. The engine does the same with a bicubic one. Pure.
 */
import { keysOf, pickDefined } from '../../../electron/contract/pick-defined.ts';
import { finishingChoices, type RequestFields } from '../../../electron/contract/request.ts';
import type { TaskRecord } from '../../../electron/contract/task.ts';
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
 *
 * @param options of the finished task
 */
export function draftOpacity(
  made: Choices,
  draft: Choices | undefined,
  options: Pick<RequestFields, 'amountMask'> | undefined,
): number | undefined {
  if (draft === undefined || made.operation !== 'upscale' || draft.operation !== 'upscale')
    return undefined;
  const isWhole = options?.amountMask === undefined && draft.amountMask === '';
  if (!isWhole || made.amount !== 100 || draft.amount === 100) return undefined;
  return isUnfinished(made) && isUnfinished(draft) ? draft.amount / 100 : undefined;
}

/** What decides the model's own result, before it is mixed. */
const modelOptions = [
  ...(['model', 'scale', 'target'] as const),
  ...keysOf(finishingChoices).filter((name) => name !== 'amount'),
] as const;

interface Enlarged {
  readonly record?: Pick<TaskRecord, 'operation' | 'status' | 'options' | 'imageUrl'> | undefined;
}

/**
 * The version that shows the model's result alone, over which a painted area can be previewed: of the same request as
 * `photo`, and unmixed. Undefined where none is there, or where finishing came after mixing.
 */
export function unmixedOf<Version extends Enlarged>(
  photo: Version,
  versions: readonly Version[],
): Version | undefined {
  const { record } = photo;
  if (record?.operation !== 'upscale') return undefined;
  const { sharpen = 0, grain = 0, keep = '' } = record.options;
  if (!isUnfinished({ sharpen, grain, keep })) return undefined;
  const wanted = JSON.stringify(pickDefined(record.options, modelOptions));
  const isUnmixed = (version: Version): boolean => {
    const made = version.record;
    return (
      made?.operation === 'upscale' &&
      made.status === 'FINISHED' &&
      made.imageUrl !== undefined &&
      made.options.amount === undefined &&
      made.options.amountMask === undefined &&
      JSON.stringify(pickDefined(made.options, modelOptions)) === wanted
    );
  };
  return [photo, ...versions].find(isUnmixed);
}
