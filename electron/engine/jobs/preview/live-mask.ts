/**
 * Corrects the mask of a finished cut-out by clicks and strokes while a person touches it up. The features are
 * computed once per photo, so that further corrections take some hundredths of a second.
 */
import { isDeepStrictEqual } from 'node:util';
import type { Size } from '../../../contract/geometry.ts';
import type { Stroke } from '../../../contract/options/strokes.ts';
import { createYield, neverAborted } from '../../cancellation/yield.ts';
import type { LiveMaskRequest } from '../../protocol/messages.ts';
import { createPlane, type Colours, type Plane } from '../../raster/planes/plane.ts';
import { dilation } from '../../raster/planes/morphology.ts';
import { resampledTo } from '../../raster/planes/resample.ts';
import { samplesIn, withRaster } from '../../raster/raster-file.ts';
import type { FeatureTensor, Mask } from '../../tiles/mask-tensor.ts';
import { decodeForView, profileOf } from '../../views/view-source.ts';
import { writeGreyPng } from '../../views/views.ts';
import {
  findByNetwork,
  maskInBoxes,
  openPrompts,
  readFeatures,
  type MaskInference,
} from '../cutout/mask/find-mask.ts';
import { preemptingMasks } from '../cutout/mask/preempting-masks.ts';
import { chooseByClicks } from '../cutout/strokes/choose-by-clicks.ts';
import { createLookCloser, type LookCloser } from '../cutout/strokes/closer-look.ts';
import { chooseByPrompts, type PromptTools } from '../cutout/strokes/choose-by-prompts.ts';
import { selectsBox } from '../cutout/strokes/look-in-boxes.ts';

/** What is known of the photo that was touched up last. */
interface TouchedPhoto {
  key: string;
  features: FeatureTensor[];
  colours: Colours | undefined;
  photo: Size;
  lookCloser: LookCloser;
  /** Of the selector. */
  tools: PromptTools | undefined;
  /** The finished cut-out's own mask, 0 everywhere where none was found. */
  finished: Mask;
  /** The latest answer, and the strokes that it answers. */
  strokes: readonly Stroke[];
  mask: Mask;
}

let last: TouchedPhoto | undefined;

/**
 * Writes the corrected mask as a grey PNG: the finished mask, and the network's where that decides otherwise. Nothing
 * is painted on it.
 *
 * @throws EnlargerError
 */
export async function writeLiveMask(
  request: LiveMaskRequest,
  inference: MaskInference,
): Promise<void> {
  const { network, strokes, toPath } = request;
  const photo = last?.key === request.key ? last : await openPhoto(request, inference);
  const { clicks } = network;
  const isLedOn = isDeepStrictEqual(photo.strokes, strokes.slice(0, photo.strokes.length));
  const known = isLedOn ? photo.strokes.length : request.applied;
  // Boxes come before all other strokes: with a new one nothing that was known counts.
  const isNew = strokes.slice(known).some(selectsBox);
  const before = isNew
    ? await boxedMask(request, photo, inference)
    : isLedOn
      ? photo.mask
      : photo.finished;
  const prompted =
    photo.tools &&
    (await chooseByPrompts(
      photo.tools,
      before,
      strokes.filter(notBox),
      createYield(neverAborted),
      strokes.slice(0, isNew ? 0 : known).filter(notBox).length,
    ));
  const masks =
    clicks && photo.colours
      ? await chooseByClicks(
          {
            inference: preemptingMasks(inference),
            network: clicks,
            features: photo.features,
            colours: photo.colours,
            photo: photo.photo,
            lookCloser: photo.lookCloser,
            options: {},
          },
          before,
          strokes,
          createYield(neverAborted),
          isNew ? 0 : known,
        )
      : [];
  const mask = prompted?.mask ?? masks.at(-1) ?? before;
  last = { ...photo, strokes, mask };
  const merged = mergeCorrection(photo.finished, mask);
  await writeGreyPng(
    Uint8Array.from(merged.data, (value) => Math.round(255 * value)),
    merged,
    toPath,
  );
}

const notBox = (stroke: Stroke) => !selectsBox(stroke);

async function openPhoto(
  { key, network, selector, picture, finished, strokes, applied, device }: LiveMaskRequest,
  inference: MaskInference,
): Promise<TouchedPhoto> {
  const { path, shape } = await decodeForView(picture);
  const icc = await profileOf(path);
  const job = { network, device, scratchDir: picture.scratchDir, strokes: [] };
  const calls = preemptingMasks(inference);
  const hooks = { signal: neverAborted };
  const { tools, features, colours } = await withRaster(path, async (raster) => {
    const source = { raster, icc };
    if (selector)
      return {
        tools: await openPrompts({ ...job, selector }, source, calls, hooks),
        features: [],
        colours: undefined,
      };
    const withFeatures = network.clicks !== undefined;
    const found = await findByNetwork(job, source, calls, { ...hooks, withFeatures });
    return { tools: undefined, features: found.features ?? [], colours: found.colours };
  });
  const mask = finished ? await readGrey(finished) : createPlane(shape.width, shape.height);
  const lookCloser = createLookCloser(shape, (part) =>
    withRaster(path, (raster) => readFeatures(job, { raster, icc }, calls, { ...hooks, part })),
  );
  // Before the first click, which then need not wait for it.
  if (colours) await lookCloser(mask, []);
  return {
    key,
    features,
    colours,
    photo: shape,
    lookCloser,
    tools,
    finished: mask,
    strokes: strokes.slice(0, applied),
    mask,
  };
}

/** The finished mask with all boxes applied. */
async function boxedMask(
  { network, picture, strokes, device }: LiveMaskRequest,
  { finished, tools }: TouchedPhoto,
  inference: MaskInference,
): Promise<Mask> {
  const { path } = await decodeForView(picture);
  const icc = await profileOf(path);
  const job = { network, device, scratchDir: picture.scratchDir, strokes: [] };
  return withRaster(path, (raster) =>
    maskInBoxes(job, { raster, icc }, preemptingMasks(inference), {
      signal: neverAborted,
      boxes: strokes.filter(selectsBox),
      whole: { mask: finished },
      tools,
    }),
  );
}

async function readGrey(picture: LiveMaskRequest['picture']): Promise<Plane> {
  const { path, shape } = await decodeForView(picture);
  const { width, height, bands, bits } = shape;
  return withRaster(path, (raster) => {
    const samples = samplesIn(raster, { x: 0, y: 0, width, height });
    const grey = createPlane(width, height);
    const top = 2 ** bits - 1;
    for (let at = 0; at < grey.data.length; at += 1)
      grey.data[at] = (samples[at * bands] as number) / top;
    return grey;
  });
}

/** How far beyond a decision that changed the network's mask is taken, in its pixels. */
const correctedReachPx = 2;

/** Returns the finished mask with the network's where the two decide differently, and near there. Pure. */
export function mergeCorrection(finished: Plane, corrected: Mask): Plane {
  const { width, height } = corrected;
  const before = resampledTo(finished, corrected);
  const isSubject = (plane: Plane, at: number) => (plane.data[at] as number) > 0.5;
  const changed = dilation(
    {
      width,
      height,
      data: corrected.data.map((_, at) =>
        isSubject(corrected, at) === isSubject(before, at) ? 0 : 1,
      ),
    },
    correctedReachPx,
  );
  const fine = resampledTo(corrected, finished);
  const data = finished.data.map((value, at) => {
    const x = at % finished.width;
    const y = (at - x) / finished.width;
    const column = Math.min(width - 1, Math.floor(((x + 0.5) * width) / finished.width));
    const row = Math.min(height - 1, Math.floor(((y + 0.5) * height) / finished.height));
    return changed.data[row * width + column] === 1 ? (fine.data[at] as number) : value;
  });
  return { width: finished.width, height: finished.height, data };
}
