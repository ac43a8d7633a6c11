/** Does the first half of a cut-out: the network finds the subject on a small copy of the picture in sRGB. */
import type { Rect, Size } from '../../../../contract/geometry.ts';
import type { MaskResult } from '../../../inference/protocol.ts';
import type { InferenceThread } from '../../../inference/thread.ts';
import type { CutoutJob } from '../../../protocol/messages.ts';
import { toDisplay, type OwnColours } from '../../../raster/display-colours.ts';
import { colourBands, hasAlpha, type Raster } from '../../../raster/raster-file.ts';
import { certainParts } from './certain-parts.ts';
import { likenessOf } from './colour-likeness.ts';
import { coloursOf } from '../../../raster/planes/plane.ts';
import { mannerOf } from '../../steps/work.ts';
import { tuningOf } from '../tuning.ts';
import { sizeForNetwork, tensorOf } from '../../../tiles/mask-tensor.ts';
import { isHard } from '../strokes/hard-strokes.ts';
import { painted, sizeForPainting } from '../strokes/paint-strokes.ts';
import { createYield } from '../../../cancellation/yield.ts';
import { reduceRaster, type SmallPicture } from '../../../raster/reduce-raster.ts';

type MaskJob = Pick<
  CutoutJob,
  'network' | 'device' | 'scratchDir' | 'strokes' | 'keepAliveMs' | 'budget'
>;

interface MaskSource {
  raster: Raster;
  /** This is the picture's ICC profile; undefined means that its numbers are sRGB. */
  icc: Buffer | undefined;
}

interface MaskHooks {
  signal: AbortSignal;
  /** Called after the network's run and after each step of painting, as a sign of life. */
  onProgress?: () => void;
}

export interface FoundMask extends MaskResult {
  /** The network's own mask, with the faint parts that are left out of `mask`. */
  rawMask: MaskResult['mask'];
  /** How alike the colours of subject and surroundings are, 0 to 1; absent for true alpha. */
  likeness?: number;
  /** Longest side of the copy that the network saw. */
  sizePx: number;
}

/** Finds the mask by one run of the network over the whole picture. Strokes are painted over it. */
export async function findMask(
  job: MaskJob,
  source: MaskSource,
  inference: Pick<InferenceThread, 'runMask'>,
  hooks: MaskHooks,
): Promise<FoundMask> {
  const found = await findByNetwork(job, source, inference, hooks);
  // Hard strokes are painted on the finished cut-out; on the mask they would soften the edge beside them.
  const strokes = job.strokes.filter((stroke) => !isHard(stroke));
  if (strokes.length === 0) return found;
  const picture = source.raster.shape;
  const size = sizeForPainting(picture);
  const colours = coloursOf(size, await seenIn(job, source, rectOf(picture), size, hooks.signal));
  const yieldTurn = createYield(hooks.signal);
  const showLife = () => {
    hooks.onProgress?.();
    return yieldTurn();
  };
  const mask = await painted(found.mask, strokes, colours, picture, showLife);
  return { ...found, mask };
}

const rectOf = ({ width, height }: Size): Rect => ({ x: 0, y: 0, width, height });

async function findByNetwork(
  job: MaskJob,
  source: MaskSource,
  inference: Pick<InferenceThread, 'runMask'>,
  { signal, onProgress }: MaskHooks,
): Promise<FoundMask> {
  const { network } = job;
  const everything = rectOf(source.raster.shape);
  const size = sizeForNetwork(network.size, everything);
  const seen = await seenIn(job, source, everything, size, signal);
  const tensor = tensorOf(seen, network);
  const done = await inference.runMask({ network, tensor, ...size, ...mannerOf(job) }, signal);
  onProgress?.();
  const found = { ...done, rawMask: done.mask, sizePx: Math.max(size.width, size.height) };
  // The faint parts of a matting network's alpha stay, for they are really faint: glass, smoke, a veil.
  if (network.matting) return found;
  const mask = certainParts(done.mask, tuningOf(network));
  return { ...found, mask, likeness: likenessOf(mask, coloursOf(size, seen)) };
}

/** Reads a part of the picture, reduced and in sRGB: red, green and blue of 0..1 for each pixel. */
async function seenIn(
  { scratchDir }: MaskJob,
  { raster, icc }: MaskSource,
  box: Rect,
  size: Size,
  signal: AbortSignal,
): Promise<Float32Array> {
  const { bands, data } = coloursOnWhite(await reduceRaster(raster, size, signal, box));
  return toDisplay({ ...size, bands, data, icc }, scratchDir);
}

/** Lays a transparent picture on white, as the pictures that networks are trained on. */
function coloursOnWhite({
  width,
  height,
  bands,
  data,
}: SmallPicture): Pick<OwnColours, 'bands' | 'data'> {
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
