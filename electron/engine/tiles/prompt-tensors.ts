/** Converts pictures and prompts to the tensors of a network that takes prompts, and its output to a mask. Pure. */
import type { Size } from '../../../packages/contract/src/geometry.ts';
import type {
  PromptDecoderDescriptor,
  PromptNetworkDescriptor,
} from '../../../packages/contract/src/models/model.ts';
import { EnlargerError } from '../../../packages/contract/src/errors.ts';
import { resampleAt, tapsOf } from '../raster/planes/resample.ts';
import { sigmoid, tensorOf, type FeatureTensor, type Mask } from './mask-tensor.ts';

/** What a prompt says: 0 not the object, 1 the object, 2 and 3 the upper left and the lower right corner of a box. */
export interface Prompt {
  label: 0 | 1 | 2 | 3;
  /** Shares of the picture's width and height. */
  x: number;
  y: number;
}

type EncoderContract = Omit<PromptNetworkDescriptor, 'variants' | 'decoder'>;
export type DecoderContract = Omit<PromptDecoderDescriptor, 'variants'>;

/** Size of the picture within the encoder's square. */
export function sizeForEncoder(
  { sidePx, fit }: Pick<EncoderContract, 'sidePx' | 'fit'>,
  picture: Size,
): Size {
  if (fit === 'stretch') return { width: sidePx, height: sidePx };
  const factor = sidePx / Math.max(picture.width, picture.height);
  const side = (pixels: number) => Math.min(sidePx, Math.max(1, Math.round(pixels * factor)));
  return { width: side(picture.width), height: side(picture.height) };
}

/** Builds the encoder's input. @param colours RGB, 0..1, interleaved, of the size for the encoder */
export function encoderTensor(
  colours: Float32Array,
  { width, height }: Size,
  network: EncoderContract,
): { dims: number[]; data: Float32Array<ArrayBuffer> } {
  const { layout, sidePx } = network;
  const values = { ...network, channels: 'RGB' } as const;
  if (layout === 'HWC')
    return { dims: [height, width, 3], data: tensorOf(colours, { ...values, layout: 'NHWC' }) };
  const dims = [1, 3, sidePx, sidePx];
  const picture = tensorOf(colours, { ...values, layout });
  if (width === sidePx && height === sidePx) return { dims, data: picture };
  const data = new Float32Array(3 * sidePx * sidePx);
  for (let row = 0; row < 3 * height; row += 1) {
    const [plane, y] = [Math.floor(row / height), row % height];
    const line = picture.subarray(row * width, (row + 1) * width);
    data.set(line, (plane * sidePx + y) * sidePx);
  }
  return { dims, data };
}

/** The decoder's inputs beside the features, by name. @param picture its size within the encoder's square */
export function promptTensors(
  decoder: DecoderContract,
  sidePx: number,
  picture: Size,
  prompts: readonly Prompt[],
): Record<string, FeatureTensor> {
  const points = prompts.flatMap(({ x, y }) => [x * picture.width, y * picture.height]);
  const labels: number[] = prompts.map(({ label }) => label);
  if (decoder.isPadded && !labels.includes(2)) {
    points.push(0, 0);
    labels.push(-1);
  }
  const { maskBefore, pictureSize, attention } = decoder;
  return {
    [decoder.points]: tensor([1, labels.length, 2], points),
    [decoder.labels]: tensor([1, labels.length], labels),
    ...(maskBefore && {
      [maskBefore.mask]: empty([1, 1, maskBefore.height, maskBefore.width]),
      [maskBefore.isGiven]: empty([1]),
    }),
    ...(pictureSize !== undefined && {
      [pictureSize]: tensor([2], [picture.height, picture.width]),
    }),
    ...(attention && {
      [attention.input]: {
        dims: [1, attention.sidePx, attention.sidePx],
        data: attentionPlane(attention.sidePx, sidePx, picture, prompts),
      },
    }),
  };
}

const tensor = (dims: number[], values: readonly number[]): FeatureTensor => ({
  dims,
  data: Float32Array.from(values),
});

const empty = (dims: number[]): FeatureTensor => ({
  dims,
  data: new Float32Array(dims.reduce((product, side) => product * side, 1)),
});

/** Standard deviation of a point's attention as a share of the plane (ZIM: 21 of 64). */
const attentionShare = 21 / 64;

/** 1 in the boxes; without any, falls off around the points. */
function attentionPlane(
  side: number,
  sidePx: number,
  picture: Size,
  prompts: readonly Prompt[],
): Float32Array {
  const cellOf = ({ x, y }: Prompt) => ({
    x: Math.floor((x * picture.width * side) / sidePx),
    y: Math.floor((y * picture.height * side) / sidePx),
  });
  const corners = prompts.filter(({ label }) => label > 1).map(cellOf);
  const points = prompts.filter(({ label }) => label <= 1).map(cellOf);
  const spread = 2 * (attentionShare * side) ** 2;
  return Float32Array.from({ length: side * side }, (_, at) => {
    const [x, y] = [at % side, Math.floor(at / side)];
    if (corners.length > 0) return isInBox(x, y, corners) ? 1 : 0;
    const near = points.map((point) => (point.x - x) ** 2 + (point.y - y) ** 2);
    return Math.exp(-Math.min(...near) / spread);
  });
}

interface Cell {
  x: number;
  y: number;
}

const isInBox = (x: number, y: number, [first, last]: readonly Cell[]): boolean =>
  first !== undefined &&
  last !== undefined &&
  x >= first.x &&
  x <= last.x &&
  y >= first.y &&
  y <= last.y;

/** Segment Anything gives four planes: the first for several prompts, the others for one that may mean several things. */
const planesWithSingle = 4;

/** Picks the plane that answers the prompts. @param scores of the planes; absent: the first plane */
export function planeFor(
  planes: number,
  scores: Float32Array | undefined,
  prompts: readonly Prompt[],
): number {
  if (!scores || scores.length < planes) return 0;
  if (planes === planesWithSingle && prompts.length > 1) return 0;
  const from = planes === planesWithSingle ? 1 : 0;
  let best = from;
  for (let plane = from; plane < planes; plane += 1)
    if ((scores[plane] as number) > (scores[best] as number)) best = plane;
  return best;
}

interface DecoderAnswer {
  /** [1, planes, height, width]. */
  output: FeatureTensor;
  scores?: Float32Array | undefined;
}

/**
 * The mask of the picture, without the padding of the encoder's square.
 *
 * @throws EnlargerError INVALID_OUTPUT for anything but numbers
 */
export function objectMask(
  { output, scores }: DecoderAnswer,
  decoder: DecoderContract,
  sidePx: number,
  picture: Size,
  prompts: readonly Prompt[],
): Mask {
  const [height = 0, width = 0] = output.dims.slice(-2);
  const pixels = width * height;
  const planes = pixels > 0 ? Math.floor(output.data.length / pixels) : 0;
  if (planes === 0) throw noMask('gave no mask');
  const plane = planeFor(planes, scores, prompts);
  const logits = output.data.subarray(plane * pixels, (plane + 1) * pixels);
  if (!logits.every(Number.isFinite)) throw noMask('gave values that are not numbers');
  const part = decoder.spansPadding
    ? { width: (width * picture.width) / sidePx, height: (height * picture.height) / sidePx }
    : { width, height };
  return cropped({ width, height, data: logits }, part);
}

const noMask = (what: string) =>
  new EnlargerError('INVALID_OUTPUT', `The network that selects objects ${what}.`);

/** The upper left part of a plane of logits, which may end within a pixel, as a mask. */
function cropped(plane: Mask, part: Size): Mask {
  const [width, height] = [Math.ceil(part.width), Math.ceil(part.height)];
  const columns = tapsOf(width, plane.width, part.width / width);
  const mask = resampleAt(plane, columns, tapsOf(height, plane.height, part.height / height));
  return { ...mask, data: mask.data.map(sigmoid) };
}
