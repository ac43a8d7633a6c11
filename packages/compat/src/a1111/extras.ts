/**
 * Maps extras of AUTOMATIC1111 to fields of a submit. Pure, except that the picture's size comes from a
 * callback.
 */
import type { Size } from '../../../contract/src/geometry.ts';
import { Type, type Static } from 'typebox';
import { createCheck } from '../../../http/src/index.ts';
import { FieldRefused } from '../refusal.ts';
import { upscalerOf, type UpscaleWork, type ModelChoiceDeps } from '../upscaler-names.ts';

const share = Type.Optional(Type.Number({ minimum: 0, maximum: 1 }));
const side = Type.Optional(Type.Integer({ minimum: 1, maximum: 100_000 }));

const common = {
  resize_mode: Type.Optional(Type.Union([Type.Literal(0), Type.Literal(1)])),
  upscaling_resize: Type.Optional(Type.Number({ minimum: 1, maximum: 16 })),
  upscaling_resize_w: side,
  upscaling_resize_h: side,
  upscaling_crop: Type.Optional(Type.Boolean()),
  upscaler_1: Type.Optional(Type.String({ maxLength: 200 })),
  upscaler_2: Type.Optional(Type.String({ maxLength: 200 })),
  extras_upscaler_2_visibility: share,
  gfpgan_visibility: share,
  codeformer_visibility: share,
  codeformer_weight: share,
  upscale_first: Type.Optional(Type.Boolean()),
  show_extras_results: Type.Optional(Type.Boolean()),
};
export type Extras = Static<ReturnType<typeof Type.Object<typeof common>>>;
const SingleExtras = Type.Object({ ...common, image: Type.String({ minLength: 1 }) });
const BatchExtras = Type.Object({
  ...common,
  imageList: Type.Array(
    Type.Object({ data: Type.String({ minLength: 1 }), name: Type.Optional(Type.String()) }),
    { minItems: 1, maxItems: 1000 },
  ),
});
export const checkSingle = createCheck(SingleExtras, 'body');
export const checkBatch = createCheck(BatchExtras, 'body');

/**
 * Model and scale of the extras.
 * @throws FieldRefused for an option that would change the picture and that Enlarger does not have
 */
export function workOfExtras(extras: Extras, deps: ModelChoiceDeps): UpscaleWork {
  for (const field of ['gfpgan_visibility', 'codeformer_visibility'] as const)
    if ((extras[field] ?? 0) > 0)
      throw new FieldRefused(field, `Expected ${field} to be 0: faces are not restored here.`);
  const { upscaler_1: first = 'None', upscaler_2: second = 'None' } = extras;
  if (second !== 'None' && (extras.extras_upscaler_2_visibility ?? 0) > 0)
    throw new FieldRefused(
      'upscaler_2',
      'Expected upscaler_2 to be None or its visibility 0: two are not blended here.',
    );
  const found = upscalerOf(first, deps);
  if (found) return found;
  throw new FieldRefused(
    'upscaler_1',
    `Expected upscaler_1 to be a name of /sdapi/v1/upscalers that enlarges but received ${JSON.stringify(first)}.`,
    first === 'None' || /^(lanczos|nearest)$/i.test(first) ? 'INVALID_REQUEST' : 'NOT_FOUND',
  );
}

const networkScales = [1, 2, 4, 8, 16];

/** Size field of a submit. @throws FieldRefused for a crop */
export async function sizeOfExtras(
  extras: Extras,
  sizeOf: () => Promise<Size>,
): Promise<{ scale: number } | { width: number } | { height: number }> {
  const { resize_mode: mode = 0, upscaling_resize: factor = 2 } = extras;
  if (mode === 0) {
    if (networkScales.includes(factor)) return { scale: factor };
    const { width } = await sizeOf();
    return { width: Math.round(width * factor) };
  }
  const { upscaling_resize_w: width = 512, upscaling_resize_h: height = 512 } = extras;
  return covering(await sizeOf(), { width, height }, extras.upscaling_crop ?? true);
}

/**
 * The side by which the picture covers the box.
 * @throws FieldRefused if the overhang is to be cropped, since Enlarger crops no enlargement
 */
function covering(own: Size, box: Size, crops: boolean): { width: number } | { height: number } {
  const byWidth = box.width / own.width;
  const byHeight = box.height / own.height;
  const factor = Math.max(byWidth, byHeight);
  const overhangs = [own.width * factor - box.width, own.height * factor - box.height];
  if (crops && Math.max(...overhangs) >= 1)
    throw new FieldRefused(
      'upscaling_crop',
      `Expected ${box.width} x ${box.height} in the proportions of the picture (${own.width} x ${own.height}), or upscaling_crop false: nothing is cut off here.`,
    );
  return byWidth >= byHeight ? { width: box.width } : { height: box.height };
}
