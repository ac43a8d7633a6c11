/** Translates model ids into works: enlarger-cutout, enlarger-4x, enlarger-2x-faithful and so on. */
import type { Operation } from '../../../../electron/contract/request.ts';
import { FieldRefused } from '../refusal.ts';
import { modelIds, upscalerOf, type ModelChoiceDeps } from '../upscaler-names.ts';

export interface OpenaiWork {
  operation: Operation;
  /** The fields are those of a submit. */
  fields: { model?: string; scale?: number };
}

const usualScale = 2;

export function openaiModelIds({ models }: ModelChoiceDeps): string[] {
  const upscalers = modelIds(models, 'upscale');
  const removers = modelIds(models, 'remove-bg');
  const scales = [...new Set(upscalers.flatMap((id) => models.scalesOf(id)))];
  const usual = scales.toSorted((a, b) => a - b).map((scale) => `enlarger-${scale}x`);
  const named = upscalers.flatMap((id) =>
    models.scalesOf(id).map((scale) => `enlarger-${scale}x-${id}`),
  );
  const cutouts = removers.map((id) => `enlarger-cutout-${id}`);
  return [...(removers.length > 0 ? ['enlarger-cutout'] : []), ...usual, ...cutouts, ...named];
}

/** OpenAI's own ids, which programs may have hard-coded, mean the usual enlarging. */
const own = /^(dall-e-\d|(chat)?gpt-image-[\w.-]+)$/;

/**
 * Decides by the model's id what is done with a picture. An unknown id throws FieldRefused with NOT_FOUND.
 * @param isTransparent whether no background is wanted: the result is a cut-out then, whatever the id
 */
export function openaiWork(
  id: string | undefined,
  isTransparent: boolean,
  deps: ModelChoiceDeps,
): OpenaiWork {
  const work = id === undefined || own.test(id) ? enlarging(undefined) : workOf(id, deps);
  if (work === undefined)
    throw new FieldRefused(
      'model',
      `The model \`${id ?? ''}\` does not exist. Expected one of ${openaiModelIds(deps).join(', ')}.`,
      'NOT_FOUND',
    );
  if (!isTransparent || work.operation === 'remove-bg') return work;
  return { operation: 'remove-bg', fields: {} };
}

function workOf(id: string, deps: ModelChoiceDeps): OpenaiWork | undefined {
  if (openaiModelIds(deps).includes(id)) {
    const [, scale, model] = /^enlarger-(?:cutout|(\d+)x)(?:-(.+))?$/.exec(id) ?? [];
    if (scale !== undefined) return enlarging(model, Number(scale));
    return { operation: 'remove-bg', fields: { ...(model !== undefined && { model }) } };
  }
  const known = upscalerOf(id, deps);
  return known && enlarging(known.isStandIn ? undefined : known.model, known.scale);
}

const enlarging = (model: string | undefined, scale = usualScale): OpenaiWork => ({
  operation: 'upscale',
  fields: { ...(model !== undefined && { model }), scale },
});
