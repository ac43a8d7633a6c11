/** The first half of a cut-out: the picture small, in sRGB, through the network that finds its subject. */
import type { Rect, Size } from '../../../../contract/geometry.ts';
import type { MaskDone } from '../../../inference/protocol.ts';
import type { InferenceThread } from '../../../inference/thread.ts';
import type { CutoutJob } from '../../../protocol.ts';
import { toDisplay, type OwnColours } from '../../../raster/display-colours.ts';
import { hasAlpha, type Raster } from '../../../raster/raster-file.ts';
import { certainHoles, certainParts } from './certain-parts.ts';
import { likenessOf } from './colour-ratios.ts';
import { boxesToLookAt, withLooks, type Look } from './closer-look.ts';
import { coloursOf } from '../../../raster/planes/plane.ts';
import { decided, type Seen } from './decide-mask.ts';
import { mannerOf } from '../../work.ts';
import { tuningOf } from '../tuning.ts';
import { cutFrom } from './mask-box.ts';
import { sizeForNetwork, tensorOf } from './mask-tensor.ts';
import { isHard } from '../strokes/hard-strokes.ts';
import { painted, sizeForPainting } from '../strokes/paint-strokes.ts';
import { createYield } from '../../../yield.ts';
import { reduceRaster, type SmallPicture } from '../../../raster/reduce-raster.ts';

type MaskJob = Pick<
  CutoutJob,
  'network' | 'device' | 'scratchDir' | 'strokes' | 'keepAliveMs' | 'room'
>;

interface MaskSource {
  raster: Raster;
  /** Absent: the picture's numbers are sRGB's. */
  icc: Buffer | undefined;
}

interface MaskHooks {
  signal: AbortSignal;
  /** After each look but the last, how many of all there were; after each stroke that all were. */
  onLook?: (done: number, total: number) => void;
}

export interface FoundMask extends MaskDone {
  /** What the network said of the whole picture, before anything was decided. */
  said: MaskDone['mask'];
  /** The same after its closer looks. */
  closer: MaskDone['mask'];
  /** How alike the subject and what is around it are in their colours, 0 to 1; absent where it does not matter. */
  likeness?: number;
  /** How often the network looked, and the longest side that it saw. */
  looks: number;
  sizePx: number;
}

/** Looks at the whole picture, and then closer at what was found; what a person painted has the last word. */
export async function findMask(
  job: MaskJob,
  source: MaskSource,
  inference: Pick<InferenceThread, 'runMask'>,
  hooks: MaskHooks,
): Promise<FoundMask> {
  const found = await findByNetwork(job, source, inference, hooks);
  // What a hard brush covers is settled on the finished edge: here it would soften what is beside it.
  const strokes = job.strokes.filter((stroke) => !isHard(stroke));
  if (strokes.length === 0) return found;
  const picture = source.raster.shape;
  const size = sizeForPainting(picture);
  const whole = { x: 0, y: 0, width: picture.width, height: picture.height };
  const colours = coloursOf(size, await seenIn(job, source, whole, size, hooks.signal));
  const yieldTurn = createYield(hooks.signal);
  const showLife = () => {
    hooks.onLook?.(found.looks, found.looks);
    return yieldTurn();
  };
  const mask = await painted(found.mask, strokes, colours, picture, showLife);
  return { ...found, mask };
}

async function findByNetwork(
  job: MaskJob,
  source: MaskSource,
  inference: Pick<InferenceThread, 'runMask'>,
  { signal, onLook }: MaskHooks,
): Promise<FoundMask> {
  const picture = source.raster.shape;
  const look = (box: Rect) => lookAt(job, source, box, inference, signal);
  const everything = { x: 0, y: 0, width: picture.width, height: picture.height };
  const { colours, ...whole } = await look(everything);
  const sizePx = Math.max(whole.mask.width, whole.mask.height);
  // What a matting network leaves faint is faint: glass, smoke, a veil.
  if (job.network.matting)
    return { ...whole, said: whole.mask, closer: whole.mask, looks: 1, sizePx };
  const tuning = tuningOf(job.network);
  const first = certainParts(whole.mask, tuning);
  const looks: (Look & Seen)[] = [];
  const boxes = boxesToLookAt(first, picture, tuning);
  for (const box of boxes) {
    onLook?.(1 + looks.length, 1 + boxes.length);
    looks.push({ box, ...(await look(box)) });
  }
  const closer = withLooks(first, looks, picture, tuning);
  // Beside closer looks hardly anything is left to decide.
  const places = looks.length === 0 ? [{ box: everything, colours }] : looks;
  const sides = await decided(closer, places, picture, tuning, createYield(signal));
  const mask = certainHoles(certainParts(sides, tuning, closer), tuning, closer);
  const likeness = likenessOf(cutFrom(mask, everything, picture, colours[0]), colours);
  return { ...whole, said: whole.mask, closer, mask, likeness, looks: 1 + looks.length, sizePx };
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

/** A part of the picture, small and in sRGB: red, green and blue of 0..1 of each pixel. */
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

/** What is transparent stands on white, as the pictures that networks learn from. */
function coloursOnWhite({
  width,
  height,
  bands,
  data,
}: SmallPicture): Pick<OwnColours, 'bands' | 'data'> {
  const colours = bands < 3 ? 1 : 3;
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
