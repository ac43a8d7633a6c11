/**
 * First half of a cut-out: the network finds the subject on a reduced sRGB copy of the picture, a second one
 * corrects that by the strokes, and the strokes are painted on it.
 */
import type { Rect, Size } from '../../../../../packages/contract/src/geometry.ts';
import { omitUndefined } from '../../../../../packages/contract/src/pick-defined.ts';
import type { MaskResult } from '../../../inference/protocol.ts';
import type { InferenceThread } from '../../../inference/thread.ts';
import type { CutoutJob } from '../../../protocol/messages.ts';
import { toDisplay, type ProfiledColours } from '../../../../../packages/photo-files/src/index.ts';
import { colourBands, hasAlpha, type Raster } from '../../../raster/raster-file.ts';
import { certainParts } from './certain-parts.ts';
import { findsSubject } from './find-subject.ts';
import { histogramOverlap } from './histogram-overlap.ts';
import { coloursOf, createPlane, type Colours, type Plane } from '../../../raster/planes/plane.ts';
import { runtimeOptions, type MaskCalls } from '../../steps/job-context.ts';
import { tuningOf } from '../tuning.ts';
import { sizeForNetwork, tensorOf } from '../../../tiles/mask-tensor.ts';
import { encoderTensor, sizeForEncoder } from '../../../tiles/prompt-tensors.ts';
import { isHard } from '../strokes/hard-strokes.ts';
import { chooseByClicks, selectsObject } from '../strokes/choose-by-clicks.ts';
import { createLookCloser, type PhotoFeatures } from '../strokes/closer-look.ts';
import { chooseByPrompts, objectInBox, type PromptTools } from '../strokes/choose-by-prompts.ts';
import { lookInBoxes, seenPart, selectsBox } from '../strokes/look-in-boxes.ts';
import type { Stroke } from '../../../../../packages/contract/src/options/strokes.ts';
import { painted, sizeForPainting } from '../strokes/paint-strokes.ts';
import { createYield } from '../../../cancellation/yield.ts';
import { reduceRaster, type SmallPicture } from '../../../raster/reduce-raster.ts';

type MaskJob = Pick<
  CutoutJob,
  'network' | 'selector' | 'device' | 'scratchDir' | 'strokes' | 'keepAliveMs' | 'budget'
>;

export interface MaskSource {
  raster: Raster;
  /** ICC profile of the picture; undefined: sRGB. */
  icc: Buffer | undefined;
}

interface MaskHooks {
  signal: AbortSignal;
  /** Called after the network's run and after each stroke, as a heartbeat. */
  onProgress?: () => void;
}

export interface FoundMask extends MaskResult {
  /** 1 where the mask is true alpha of a network that takes prompts; absent: nowhere. */
  alphaWhere?: Plane;
  /** The network's own mask, including the faint parts removed from `mask`. */
  rawMask: MaskResult['mask'];
  /** Histogram overlap of subject and background, 0..1; absent for true alpha. */
  colourOverlap?: number;
  /** Longest side of the network's input. */
  sizePx: number;
  /** The network's input, 0..1 in sRGB. */
  colours: Colours;
}

/** The calls of the inference thread that finding a mask makes. */
export type MaskInference = Pick<InferenceThread, MaskCalls>;

/**
 * Finds the mask with one run of the network over the whole picture, and one for each box. Strokes that select objects
 * do so, if the network has one for clicks; the job's selector answers both, if it has one. All but boxes are painted
 * over that.
 */
export async function findMask(
  job: MaskJob,
  source: MaskSource,
  inference: MaskInference,
  hooks: MaskHooks,
): Promise<FoundMask> {
  const boxes = job.strokes.filter(selectsBox);
  // Hard strokes are painted on the finished cut-out; on the mask they would soften the edge beside them.
  const strokes = job.strokes.filter((stroke) => !isHard(stroke) && !selectsBox(stroke));
  const seen = await findByNetwork(job, source, inference, {
    ...hooks,
    withFeatures: job.selector === undefined && strokes.some(selectsObject),
  });
  // Where it found none, the subject is what a person keeps, as the live mask of a failed cut-out shows.
  const isPainted = job.strokes.some(keeps) && !findsSubject(seen, tuningOf(job.network));
  const whole = isPainted ? { ...seen, mask: emptied(seen.mask) } : seen;
  const isSelecting = boxes.length > 0 || strokes.some(selectsObject);
  const tools = isSelecting ? await openPrompts(job, source, inference, hooks) : undefined;
  const found: FoundMask =
    boxes.length === 0
      ? whole
      : {
          ...whole,
          mask: await maskInBoxes(job, source, inference, { ...hooks, boxes, whole, tools }),
          // A box to keep leaves nothing of the network's own mask.
          ...(tools?.network.matting && boxes.some(keeps) && { alphaWhere: everywhere }),
        };
  if (strokes.length === 0) return found;
  const picture = source.raster.shape;
  const size = sizeForPainting(picture);
  const colours = coloursOf(
    size,
    await readInSrgb(job, source, rectOf(picture), size, hooks.signal),
  );
  const yieldTurn = createYield(hooks.signal);
  const heartbeat = () => {
    hooks.onProgress?.();
    return yieldTurn();
  };
  const prompted = tools && (await chooseByPrompts(tools, found.mask, strokes, heartbeat));
  const { clicks } = job.network;
  const { features } = found;
  const chosen =
    clicks && features
      ? await chooseByClicks(
          {
            inference,
            network: clicks,
            features,
            colours: found.colours,
            photo: picture,
            lookCloser: createLookCloser(picture, (part) =>
              readFeatures(job, source, inference, { ...hooks, part }),
            ),
            options: runtimeOptions(job),
          },
          found.mask,
          strokes,
          heartbeat,
        )
      : [];
  const before = prompted?.mask ?? chosen.at(-1) ?? found.mask;
  const mask = await painted(before, strokes, colours, picture, heartbeat);
  const alphaWhere = found.alphaWhere ?? (tools?.network.matting ? prompted?.decided : undefined);
  return { ...found, mask, ...(alphaWhere && { alphaWhere }) };
}

const keeps = ({ kind }: Stroke) => kind === 'keep';

const emptied = ({ width, height }: Size): FoundMask['mask'] => createPlane(width, height);

const everywhere: Plane = { width: 1, height: 1, data: Float32Array.of(1) };

/** Shows the picture to the selector's encoder; undefined without a selector. */
export async function openPrompts(
  job: MaskJob,
  source: MaskSource,
  inference: Pick<InferenceThread, 'encodePicture' | 'answerPrompts'>,
  { signal, onProgress }: MaskHooks,
): Promise<PromptTools | undefined> {
  const { selector: network } = job;
  if (!network) return undefined;
  const { shape } = source.raster;
  const picture = sizeForEncoder(network, shape);
  const colours = await readInSrgb(job, source, rectOf(shape), picture, signal);
  const { keepAliveMs, budget } = job;
  const options = omitUndefined({ keepAliveMs, budget });
  const tensor = encoderTensor(colours, picture, network);
  const features = await inference.encodePicture({ network, picture: tensor, ...options });
  onProgress?.();
  return { inference, network, features, picture, options };
}

/** Applies boxes to the mask of the whole picture. */
export function maskInBoxes(
  job: MaskJob,
  source: MaskSource,
  inference: Pick<InferenceThread, 'runMask'>,
  {
    boxes,
    whole,
    tools,
    ...hooks
  }: MaskHooks & {
    boxes: readonly Stroke[];
    whole: Pick<FoundMask, 'mask'>;
    /** Absent: the network itself sees each box. */
    tools: PromptTools | undefined;
  },
): Promise<FoundMask['mask']> {
  const { shape } = source.raster;
  return lookInBoxes(whole.mask, boxes, shape, async (box) => {
    if (tools) return objectInBox(tools, box, shape);
    const part = seenPart(box, shape);
    const options = { ...hooks, withFeatures: false, part };
    return { found: (await findByNetwork(job, source, inference, options)).mask, seen: part };
  });
}

const rectOf = ({ width, height }: Size): Rect => ({ x: 0, y: 0, width, height });

/** Computes what the network of clicks takes of a part of the picture. */
export async function readFeatures(
  job: MaskJob,
  source: MaskSource,
  inference: Pick<InferenceThread, 'runMask'>,
  options: MaskHooks & { part: Rect },
): Promise<PhotoFeatures> {
  const { features = [], colours } = await findByNetwork(job, source, inference, {
    ...options,
    withFeatures: true,
  });
  return { features, colours };
}

/** Finds the mask of the picture, or of a part of it, without strokes. */
export async function findByNetwork(
  job: MaskJob,
  source: MaskSource,
  inference: Pick<InferenceThread, 'runMask'>,
  {
    signal,
    onProgress,
    withFeatures,
    part = rectOf(source.raster.shape),
  }: MaskHooks & { withFeatures: boolean; part?: Rect },
): Promise<FoundMask> {
  const { network } = job;
  const size = sizeForNetwork(network.size, part);
  const inputColours = await readInSrgb(job, source, part, size, signal);
  const tensor = tensorOf(inputColours, network);
  const done = await inference.runMask(
    { network, tensor, ...size, withFeatures, ...runtimeOptions(job) },
    signal,
  );
  onProgress?.();
  const colours = coloursOf(size, inputColours);
  const sizePx = Math.max(size.width, size.height);
  const found = { ...done, rawMask: done.mask, sizePx, colours };
  // Faint parts of a matting network's alpha are real: glass, smoke, a veil.
  if (network.matting) return found;
  const mask = certainParts(done.mask, tuningOf(network));
  return { ...found, mask, colourOverlap: histogramOverlap(mask, colours) };
}

/** Reads a part of the picture, reduced and in sRGB: interleaved RGB, 0..1. */
async function readInSrgb(
  { scratchDir }: MaskJob,
  { raster, icc }: MaskSource,
  box: Rect,
  size: Size,
  signal: AbortSignal,
): Promise<Float32Array> {
  const { bands, data } = coloursOnWhite(await reduceRaster(raster, size, signal, box));
  return toDisplay({ ...size, bands, data, icc }, scratchDir);
}

/** Flattens transparency onto white, as in the networks' training pictures. */
function coloursOnWhite({
  width,
  height,
  bands,
  data,
}: SmallPicture): Pick<ProfiledColours, 'bands' | 'data'> {
  const colours = colourBands({ bands });
  const isClear = hasAlpha({ width, height, bands, bits: 8 });
  if (!isClear && bands === colours) return { bands: colours, data };
  const flat = new Float32Array(width * height * colours);
  for (let pixel = 0, at = 0; at < flat.length; pixel += bands)
    for (let colour = 0; colour < colours; colour += 1, at += 1) {
      const alpha = isClear ? (data[pixel + bands - 1] as number) : 1;
      flat[at] = 1 + ((data[pixel + colour] as number) - 1) * alpha;
    }
  return { bands: colours, data: flat };
}
