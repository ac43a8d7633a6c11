/**
 * Recognises the two halves of a network that takes prompts by the names under which Segment Anything and what was
 * made after it (MobileSAM, SAM 2, ZIM) are exported. Pure.
 */
import { assertRunnable, isFloat } from './check-onnx.ts';
import { floatTypes } from './encode-onnx.ts';
import type { OnnxStructure, TensorInfo } from './read-onnx.ts';
import { refused } from './refused.ts';

/** Names of the decoder's inputs, beside those of the features. */
const pointsName = 'point_coords';
const labelsName = 'point_labels';
const maskName = 'mask_input';
const isMaskGivenName = 'has_mask_input';
const pictureSizeName = 'orig_im_size';
const attentionName = 'attn_mask';
const promptNames = [
  pointsName,
  labelsName,
  maskName,
  isMaskGivenName,
  pictureSizeName,
  attentionName,
];

/** Planes of the decoder's own size. In many exports `masks` has the proportions of the exporter's picture. */
const smallMasksName = 'low_res_masks';
const masksName = 'masks';
const scoresName = 'iou_predictions';

/** Inputs and outputs of a decoder. */
export interface PromptDecoderPorts {
  features: TensorInfo[];
  /** Set when it takes the mask before. */
  maskBefore?: { width: number; height: number };
  takesPictureSize: boolean;
  /** Side of the plane that says where the prompts are. */
  attentionPx?: number;
  output: string;
  hasScores: boolean;
}

export const promptInputs = {
  points: pointsName,
  labels: labelsName,
  mask: maskName,
  isMaskGiven: isMaskGivenName,
  pictureSize: pictureSizeName,
  attention: attentionName,
  scores: scoresName,
  masks: masksName,
} as const;

const inputsOf = ({ inputs, initializers }: OnnxStructure): TensorInfo[] => {
  const weights = new Set(initializers.map(({ name }) => name));
  return inputs.filter(({ name }) => !weights.has(name));
};

/** Whether the network takes points and their labels. */
export function isPromptDecoder(model: OnnxStructure): boolean {
  const names = inputsOf(model).map(({ name }) => name);
  return names.includes(pointsName) && names.includes(labelsName);
}

/** Inputs and outputs of a decoder, checked. @throws EnlargerError MODEL_REFUSED with the reason */
export function promptDecoderPorts(model: OnnxStructure): PromptDecoderPorts {
  assertRunnable(model);
  const inputs = inputsOf(model);
  const named = (name: string) => inputs.find((input) => input.name === name);
  const features = inputs.filter(({ name }) => !promptNames.includes(name));
  for (const input of inputs) assertSingle(input);
  for (const { name, shape } of features)
    if (shape?.length !== 4)
      throw refused(
        `The decoder takes ${name.slice(0, 40)}, which is neither a prompt nor a feature of the encoder. Export it with the inputs of Segment Anything: ${promptNames.join(', ')}.`,
      );
  const output = [smallMasksName, masksName].find((name) =>
    model.outputs.some((one) => one.name === name && one.elementType === floatTypes.single),
  );
  if (output === undefined || features.length === 0)
    throw refused(
      `The decoder takes ${features.length} features and gives ${model.outputs
        .map(({ name }) => name.slice(0, 30))
        .slice(0, 6)
        .join(', ')}; one that takes an encoder's features and gives ${masksName} can be used.`,
    );
  const maskBefore = maskSizeOf(named(maskName));
  const attentionPx = sideOf(named(attentionName));
  return {
    features,
    ...(maskBefore && { maskBefore }),
    takesPictureSize: named(pictureSizeName) !== undefined,
    ...(attentionPx !== undefined && { attentionPx }),
    output,
    hasScores: model.outputs.some(({ name }) => name === scoresName),
  };
}

function assertSingle({ name, elementType }: TensorInfo): void {
  if (elementType === floatTypes.single) return;
  throw refused(
    `The decoder takes ${name.slice(0, 40)} as element type ${elementType}; 32-bit floats can be used. Export it without half precision and quantised inputs.`,
  );
}

function maskSizeOf(input: TensorInfo | undefined) {
  const [, , height, width] = input?.shape ?? [];
  return typeof height === 'number' && typeof width === 'number' ? { width, height } : undefined;
}

function sideOf(input: TensorInfo | undefined): number | undefined {
  if (!input) return undefined;
  const side = input.shape?.at(-1);
  return typeof side === 'number' ? side : defaultAttentionPx;
}

/** ZIM's plane. */
const defaultAttentionPx = 64;

/** Side of Segment Anything's pictures, whose masks before are a quarter of it. */
const defaultSidePx = 1024;
const maskShare = 4;

/** Side of the encoder's square, where the encoder does not say it. */
export const promptSidePx = ({ maskBefore }: Pick<PromptDecoderPorts, 'maskBefore'>): number =>
  maskBefore ? maskShare * maskBefore.width : defaultSidePx;

/** The encoder's input, and its outputs in the order of the decoder's features. */
export interface PromptEncoderPorts {
  input: TensorInfo;
  outputs: string[];
}

/** Ports of an encoder that makes a decoder's features. @throws EnlargerError MODEL_REFUSED with the reason */
export function promptEncoderPorts(
  model: OnnxStructure,
  { features }: Pick<PromptDecoderPorts, 'features'>,
): PromptEncoderPorts {
  assertRunnable(model);
  const [input, ...others] = inputsOf(model);
  const rank = input?.shape?.length;
  if (!input || others.length > 0 || !isFloat(input.elementType) || (rank !== 3 && rank !== 4))
    throw refused(
      'The encoder has to take one picture, as floats of [1, 3, height, width] or [height, width, 3].',
    );
  const made = model.outputs.filter(({ elementType }) => isFloat(elementType));
  const outputs = features.map((feature) => outputFor(feature, made, features.length === 1));
  if (new Set(outputs).size < outputs.length) throw notOfOneExport(made, features);
  return { input, outputs };
}

/** The output of a feature's name, else the only one, else the only one of its shape. */
function outputFor(feature: TensorInfo, made: readonly TensorInfo[], isOnly: boolean): string {
  const named = made.find(({ name }) => name === feature.name);
  const [first] = made;
  if (named) return named.name;
  if (isOnly && first && made.length === 1) return first.name;
  const alike = made.filter(({ shape }) => shape?.join() === feature.shape?.join());
  const [only] = alike;
  if (only && alike.length === 1) return only.name;
  throw notOfOneExport(made, [feature]);
}

function notOfOneExport(made: readonly TensorInfo[], features: readonly TensorInfo[]) {
  const list = (ports: readonly TensorInfo[]) =>
    ports
      .map(({ name }) => name.slice(0, 30))
      .slice(0, 6)
      .join(', ');
  return refused(
    `The encoder makes ${list(made)}, but the decoder takes ${list(features)}. Bring an encoder and a decoder of one export.`,
  );
}
