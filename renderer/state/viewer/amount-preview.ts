/**
 * Previews the strength of the model without running it: the network's result, at that opacity, over a plain
 * enlargement of the source. Mixing is linear, so a result that was mixed can be mixed anew. Pure.
 */
import { keysOf, pickDefined } from '../../../packages/contract/src/pick-defined.ts';
import { finishingChoices } from '../../../packages/contract/src/request.ts';
import type { TaskRecord } from '../../../packages/contract/src/task.ts';
import type { Choices } from '../../../packages/contract/src/settings/page.ts';
import { enlargementOf } from '../options/choices.ts';
import type { Dials } from '../options/dials.ts';

/** Later steps of finishing would change what is mixed, so they leave the preview to the engine. */
const isUnfinished = ({ sharpen, grain, keep }: Pick<Choices, 'sharpen' | 'grain' | 'keep'>) =>
  sharpen === 0 && grain === 0 && keep === '';

/** Opacity, 0..1, of results of a try that are requested at full strength; undefined: the engine mixes. */
export function triedOpacity(dials: Dials, keep: Choices['keep']): number | undefined {
  return isUnfinished({ ...dials, keep }) ? dials.amount / 100 : undefined;
}

/** What decides the model's own result, before it is mixed. */
const modelOptions = [
  ...(['model', 'scale', 'target'] as const),
  ...keysOf(finishingChoices).filter((name) => name !== 'amount'),
] as const;

/** What decides where that result is used. */
const areaOptions = ['amountMask', 'maskModel', 'strokes'] as const;

type EnlargedRecord = Pick<TaskRecord, 'operation' | 'status' | 'options' | 'imageUrl'>;

interface Enlarged {
  readonly record?: EnlargedRecord | undefined;
}

interface Drafted extends Enlarged {
  readonly choices: Choices;
  readonly versions: { readonly draft: Choices | undefined };
}

/** A picture that is `plain + gain * (result of 'base' - plain)`. */
export interface AmountPreview<Version> {
  base: Version;
  gain: number;
}

/** Rounding and compression of a result grow by the gain. */
const maxGain = 2;

/**
 * Plans the preview of a finished enlargement at the strength that its changed settings have. It lies over the
 * version of the same request that was made with the greatest strength.
 *
 * @returns 'later' where only running it shows that strength; undefined where that is not changed
 */
export function planAmountPreview<Version extends Enlarged>(
  photo: Version & Drafted,
  versions: readonly Version[],
): AmountPreview<Version> | 'later' | undefined {
  const { choices, record } = photo;
  const { draft } = photo.versions;
  if (draft === undefined || record?.operation !== 'upscale') return undefined;
  if (draft.operation !== 'upscale' || draft.amount === choices.amount) return undefined;
  if (!isUnfinished(choices) || !isSameBut(draft, choices)) return 'later';
  const wanted = optionsIn(record, areaOptions);
  const bases = [photo, ...versions].filter(
    (version) => isMadeAs(version, record) && optionsIn(version.record, areaOptions) === wanted,
  );
  const [base] = bases.sort((one, other) => amountOf(other) - amountOf(one));
  const gain = base === undefined ? Infinity : draft.amount / amountOf(base);
  return base === undefined || gain > maxGain ? 'later' : { base, gain };
}

/** Whether settings would make the same enlargement, apart from its strength. */
function isSameBut(one: Choices, other: Choices): boolean {
  const [own, others] = [one, other].map((choices) =>
    JSON.stringify([choices.amountMask, enlargementOf({ ...choices, amount: 0 })]),
  );
  return own === others;
}

const amountOf = ({ record }: Enlarged) => record?.options.amount ?? 100;

const optionsIn = (
  record: EnlargedRecord | undefined,
  names: readonly (keyof EnlargedRecord['options'])[],
) => record && JSON.stringify(pickDefined(record.options, names));

/** Whether a version is there that the model made of the same request, mixed or not. */
function isMadeAs({ record }: Enlarged, wanted: EnlargedRecord): boolean {
  return (
    record?.operation === 'upscale' &&
    record.status === 'FINISHED' &&
    record.imageUrl !== undefined &&
    optionsIn(record, modelOptions) === optionsIn(wanted, modelOptions)
  );
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
  return [photo, ...versions].find(
    (version) =>
      isMadeAs(version, record) &&
      amountOf(version) === 100 &&
      version.record?.options.amountMask === undefined,
  );
}
