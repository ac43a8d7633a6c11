/** Model ids: enlarger-cutout, enlarger-4x, enlarger-2x-faithful etc. */
import type { Operation } from '../../../contract/src/request.ts';
import { FieldRefused } from '../refusal.ts';
import { idsFor } from '../../../contract/src/models/model.ts';
import { upscalerOf, type ModelChoiceDeps } from '../upscaler-names.ts';

export interface OpenaiWork {
  operation: Operation;
  /** Fields of a submit. */
  fields: { model?: string; scale?: number };
}

const defaultScale = 2;

export function openaiModelIds({ models }: ModelChoiceDeps): string[] {
  const upscalers = idsFor('upscale', models.models);
  const removers = idsFor('remove-bg', models.models);
  const scales = [...new Set(upscalers.flatMap((id) => models.scalesOf(id)))];
  const byScale = scales.toSorted((a, b) => a - b).map((scale) => `enlarger-${scale}x`);
  const named = upscalers.flatMap((id) =>
    models.scalesOf(id).map((scale) => `enlarger-${scale}x-${id}`),
  );
  const cutouts = removers.map((id) => `enlarger-cutout-${id}`);
  return [...(removers.length > 0 ? ['enlarger-cutout'] : []), ...byScale, ...cutouts, ...named];
}

/** OpenAI's own ids, which programs may have hard-coded: default enlarging. */
const own = /^(dall-e-\d|(chat)?gpt-image-[\w.-]+)$/;

/**
 * Work for a model id.
 * @param isTransparent no background: a cut-out, whatever the id
 * @throws FieldRefused NOT_FOUND for an unknown id
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

const enlarging = (model: string | undefined, scale = defaultScale): OpenaiWork => ({
  operation: 'upscale',
  fields: { ...(model !== undefined && { model }), scale },
});
