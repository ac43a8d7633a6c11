/**
 * Corrects the mask of a finished cut-out by clicks and strokes while a person touches it up. The features are
 * computed once per photo, so that further corrections take some hundredths of a second.
 */
import { isDeepStrictEqual } from 'node:util';
import type { Size } from '../../../../packages/contract/src/geometry.ts';
import type { Stroke } from '../../../../packages/contract/src/options/strokes.ts';
import { createYield, neverAborted } from '../../cancellation/yield.ts';
import type { LiveMaskRequest, PictureSource } from '../../protocol/messages.ts';
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
  type MaskSource,
} from '../cutout/mask/find-mask.ts';
import { findsSubject } from '../cutout/mask/find-subject.ts';
import { preemptingMasks } from '../cutout/mask/preempting-masks.ts';
import { chooseByClicks } from '../cutout/strokes/choose-by-clicks.ts';
import { createLookCloser, type LookCloser } from '../cutout/strokes/closer-look.ts';
import { chooseByPrompts, type PromptTools } from '../cutout/strokes/choose-by-prompts.ts';
import { selectsBox } from '../cutout/strokes/look-in-boxes.ts';
import { tuningOf } from '../cutout/tuning.ts';

/** A mask, and the strokes that it answers. */
interface Answer {
  strokes: readonly Stroke[];
  mask: Mask;
}

/** What is known of the photo that was touched up last. */
interface TouchedPhoto {
  key: string;
  /** As the latest request has it: scratch folders of earlier ones are gone. */
  at: { picture: PictureSource };
  features: FeatureTensor[];
  colours: Colours | undefined;
  photo: Size;
  lookCloser: LookCloser;
  /** Of the selector. */
  tools: PromptTools | undefined;
  /** The finished cut-out's own mask, 0 everywhere where none was found. */
  finished: Mask;
  /** What a job begins with, without strokes; with a selector, which answers alone, the finished mask. */
  whole: Mask;
}

interface LiveMasks extends TouchedPhoto {
  /** What a job makes of the strokes of the finished cut-out, before it is painted and refined. */
  applied: Answer;
  latest: Answer;
}

let last: LiveMasks | undefined;

/**
 * Writes the corrected mask as a grey PNG: the finished mask, and what the strokes since then change in a job's. Nothing
 * is painted on it.
 *
 * @throws EnlargerError
 */
export async function writeLiveMask(
  request: LiveMaskRequest,
  inference: MaskInference,
): Promise<void> {
  const { key, picture, strokes, toPath } = request;
  if (last?.key !== key) last = await openLiveMasks(request, inference);
  last.at.picture = picture;
  const { whole, finished, applied, latest } = last;
  const known = [latest, applied].find((answer) => isLedOn(answer, strokes));
  const mask = await answer(request, last, known ?? { strokes: [], mask: whole }, inference);
  last = { ...last, latest: { strokes, mask } };
  const { matting } = last.tools?.network ?? request.network;
  const merged = mergeCorrection(finished, mask, applied.mask, matting);
  await writeGreyPng(
    Uint8Array.from(merged.data, (value) => Math.round(255 * value)),
    merged,
    toPath,
  );
}

const isLedOn = (answer: Answer, strokes: readonly Stroke[]) =>
  isDeepStrictEqual(answer.strokes, strokes.slice(0, answer.strokes.length));

async function openLiveMasks(
  request: LiveMaskRequest,
  inference: MaskInference,
): Promise<LiveMasks> {
  const photo = await openPhoto(request, inference);
  const strokes = request.strokes.slice(0, request.applied);
  const mask = photo.tools
    ? photo.finished
    : await answer({ ...request, strokes }, photo, { strokes: [], mask: photo.whole }, inference);
  // Before the first click, which then need not wait for it.
  if (photo.colours) await photo.lookCloser(mask, []);
  const applied = { strokes, mask };
  return { ...photo, applied, latest: applied };
}

/** Returns the mask that a job has after the strokes, before it paints them, from the answer to some of them. */
async function answer(
  request: Pick<LiveMaskRequest, 'network' | 'picture' | 'device' | 'strokes'>,
  photo: TouchedPhoto,
  known: Answer,
  inference: MaskInference,
): Promise<Mask> {
  const { strokes } = request;
  const { clicks } = request.network;
  const { features, colours, lookCloser, tools } = photo;
  // Boxes come before all other strokes: with a new one nothing that was known counts.
  const isNew = strokes.slice(known.strokes.length).some(selectsBox);
  const first = isNew ? 0 : known.strokes.length;
  const before = isNew ? await boxedMask(request, photo, inference) : known.mask;
  const yieldTurn = createYield(neverAborted);
  if (tools) {
    const others = strokes.filter(notBox);
    const count = strokes.slice(0, first).filter(notBox).length;
    return (await chooseByPrompts(tools, before, others, yieldTurn, count))?.mask ?? before;
  }
  if (!clicks || !colours) return before;
  const masks = await chooseByClicks(
    {
      inference: preemptingMasks(inference),
      network: clicks,
      features,
      colours,
      photo: photo.photo,
      lookCloser,
      options: {},
    },
    before,
    strokes,
    yieldTurn,
    first,
  );
  return masks.at(-1) ?? before;
}

const notBox = (stroke: Stroke) => !selectsBox(stroke);

async function openPhoto(
  { key, network, selector, picture, finished: finishedMask, device }: LiveMaskRequest,
  inference: MaskInference,
): Promise<TouchedPhoto> {
  const job = { network, device, scratchDir: picture.scratchDir, strokes: [] };
  const calls = preemptingMasks(inference);
  const hooks = { signal: neverAborted };
  const at = { picture };
  const { shape, tools, found } = await withSource(picture, async (source) => {
    const { shape } = source.raster;
    if (selector) {
      const tools = await openPrompts({ ...job, selector }, source, calls, hooks);
      return { shape, tools, found: undefined };
    }
    const withFeatures = network.clicks !== undefined;
    const found = await findByNetwork(job, source, calls, { ...hooks, withFeatures });
    return { shape, tools: undefined, found };
  });
  const empty = createPlane(shape.width, shape.height);
  const finished = finishedMask ? await readGrey(finishedMask) : empty;
  const lookCloser = createLookCloser(shape, (part) => {
    const { scratchDir } = at.picture;
    return withSource(at.picture, (source) =>
      readFeatures({ ...job, scratchDir }, source, calls, { ...hooks, part }),
    );
  });
  const known = { key, at, photo: shape, lookCloser, finished, tools };
  if (!found) return { ...known, features: [], colours: undefined, whole: finished };
  const { features = [], colours, mask } = found;
  const whole = findsSubject(found, tuningOf(network)) ? mask : empty;
  return { ...known, features, colours, whole };
}

/** The mask with all boxes applied. */
async function boxedMask(
  {
    network,
    picture,
    strokes,
    device,
  }: Pick<LiveMaskRequest, 'network' | 'picture' | 'strokes' | 'device'>,
  { whole, tools }: TouchedPhoto,
  inference: MaskInference,
): Promise<Mask> {
  const job = { network, device, scratchDir: picture.scratchDir, strokes: [] };
  return withSource(picture, (source) =>
    maskInBoxes(job, source, preemptingMasks(inference), {
      signal: neverAborted,
      boxes: strokes.filter(selectsBox),
      whole: { mask: whole },
      tools,
    }),
  );
}

/** Decodes it anew where another picture was decoded since. */
async function withSource<T>(
  picture: PictureSource,
  use: (source: MaskSource) => Promise<T>,
): Promise<T> {
  const { path } = await decodeForView(picture);
  const icc = await profileOf(path);
  return withRaster(path, (raster) => use({ raster, icc }));
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

/**
 * What a network is unsure of is no alpha: refining decides it, and solves a narrow edge alone. Levels this much
 * farther from the middle come near that.
 */
const decisiveness = 8;

const decided = (value: number) => Math.min(1, Math.max(0, (value - 0.5) * decisiveness + 0.5));

/**
 * Returns the finished mask with the corrected one where that decides differently than before, and near there. Pure.
 *
 * @param isAlpha the corrected mask is true alpha, and is taken as it is
 */
export function mergeCorrection(
  finished: Plane,
  corrected: Mask,
  before: Mask,
  isAlpha: boolean,
): Plane {
  const { width, height } = corrected;
  const former = resampledTo(before, corrected);
  const isSubject = (plane: Plane, at: number) => (plane.data[at] as number) > 0.5;
  const changed = dilation(
    {
      width,
      height,
      data: corrected.data.map((_, at) =>
        isSubject(corrected, at) === isSubject(former, at) ? 0 : 1,
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
    if (changed.data[row * width + column] !== 1) return value;
    const now = fine.data[at] as number;
    return isAlpha ? now : decided(now);
  });
  return { width: finished.width, height: finished.height, data };
}
