/** Does the first half of a cut-out: the network finds the subject on a small copy of the picture in sRGB. */
import type { Rect, Size } from '../../../../contract/geometry.ts';
import type { MaskDone } from '../../../inference/protocol.ts';
import type { InferenceThread } from '../../../inference/thread.ts';
import type { CutoutJob } from '../../../protocol/messages.ts';
import { toDisplay, type OwnColours } from '../../../raster/display-colours.ts';
import { colourBands, hasAlpha, type Raster } from '../../../raster/raster-file.ts';
import { certainHoles, certainParts } from './certain-parts.ts';
import { likenessOf } from './colour-ratios.ts';
import { boxesToLookAt, withLooks, type Look } from './closer-look.ts';
import { coloursOf } from '../../../raster/planes/plane.ts';
import { decided, type Seen } from './decide-mask.ts';
import { mannerOf } from '../../steps/work.ts';
import { tuningOf } from '../tuning.ts';
import { cutFrom } from './mask-box.ts';
import { sizeForNetwork, tensorOf } from '../../../tiles/mask-tensor.ts';
import { isHard } from '../strokes/hard-strokes.ts';
import { painted, sizeForPainting } from '../strokes/paint-strokes.ts';
import { createYield } from '../../../cancellation/yield.ts';
import { reduceRaster, type SmallPicture } from '../../../raster/reduce-raster.ts';

type MaskJob = Pick<
  CutoutJob,
  'network' | 'device' | 'scratchDir' | 'strokes' | 'keepAliveMs' | 'room'
>;

interface MaskSource {
  raster: Raster;
  /** This is the picture's ICC profile; undefined means that its numbers are sRGB. */
  icc: Buffer | undefined;
}

interface MaskHooks {
  signal: AbortSignal;
  /** This is called after each look but the last, with the looks so far, and after each stroke with all. */
  onLook?: (done: number, total: number) => void;
}

export interface FoundMask extends MaskDone {
  /** This is the network's own mask of the whole picture, before anything was decided. */
  rawMask: MaskDone['mask'];
  /** This is the mask after the closer looks, still undecided. */
  closerMask: MaskDone['mask'];
  /** The colours of subject and surroundings are so alike, 0 to 1; the field is absent for true alpha. */
  likeness?: number;
  /** The network ran this many times. */
  looks: number;
  /** This is the longest side of the copy that the network saw of the whole picture. */
  sizePx: number;
}

/** Finds the mask by a look at the whole picture and closer ones at its parts. Strokes are painted over it. */
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
    hooks.onLook?.(found.looks, found.looks);
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
  { signal, onLook }: MaskHooks,
): Promise<FoundMask> {
  const picture = source.raster.shape;
  const look = (box: Rect) => lookAt(job, source, box, inference, signal);
  const everything = rectOf(picture);
  const { colours, ...whole } = await look(everything);
  const sizePx = Math.max(whole.mask.width, whole.mask.height);
  // The faint parts of a matting network's alpha stay, for they are really faint: glass, smoke, a veil.
  if (job.network.matting)
    return { ...whole, rawMask: whole.mask, closerMask: whole.mask, looks: 1, sizePx };
  const tuning = tuningOf(job.network);
  const first = certainParts(whole.mask, tuning);
  const looks: (Look & Seen)[] = [];
  const boxes = boxesToLookAt(first, picture, tuning);
  for (const box of boxes) {
    onLook?.(1 + looks.length, 1 + boxes.length);
    looks.push({ box, ...(await look(box)) });
  }
  const closerMask = withLooks(first, looks, picture, tuning);
  // Where there were closer looks, hardly anything outside of them is left to decide.
  const places = looks.length === 0 ? [{ box: everything, colours }] : looks;
  const sides = await decided(closerMask, places, picture, tuning, createYield(signal));
  const mask = certainHoles(certainParts(sides, tuning, closerMask), tuning, closerMask);
  const likeness = likenessOf(cutFrom(mask, everything, picture, colours[0]), colours);
  return {
    ...whole,
    rawMask: whole.mask,
    closerMask,
    mask,
    likeness,
    looks: 1 + looks.length,
    sizePx,
  };
}

async function lookAt(
  job: MaskJob,
  source: MaskSource,
  box: Rect,
  inference: Pick<InferenceThread, 'runMask'>,
  signal: AbortSignal,
): Promise<MaskDone & Pick<Seen, 'colours'>> {
  const { network } = job;
  const size = sizeForNetwork(network.size, box);
  const seen = await seenIn(job, source, box, size, signal);
  const tensor = tensorOf(seen, network);
  const done = await inference.runMask({ network, tensor, ...size, ...mannerOf(job) }, signal);
  return { ...done, colours: coloursOf(size, seen) };
}

/** Answers a part of the picture, reduced and in sRGB: red, green and blue of 0..1 for each pixel. */
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
