/**
 * Finds how a network that takes prompts takes pictures, and tries it: a click on a drawn subject has to select it.
 */
import { note } from '../../../../packages/contract/src/notes/notes.ts';
import type { InferenceSession } from 'onnxruntime-node';
import { EnlargerError } from '../../../../packages/contract/src/errors.ts';
import { firstLine } from '../../inference/devices/device-fault.ts';
import { decodePrompts, encodePicture } from '../../inference/sessions/prompt-session.ts';
import {
  promptInputs,
  type PromptDecoderPorts,
  type TensorInfo,
  refused,
} from '../../../../packages/onnx/src/index.ts';
import type { PromptNetworkContract } from '../../protocol/importing.ts';
import type { Mask } from '../../tiles/mask-tensor.ts';
import { encoderTensor, sizeForEncoder } from '../../tiles/prompt-tensors.ts';
import { drawScenes, type Scene } from './scenes.ts';

interface PromptTrial {
  encoder: InferenceSession;
  decoder: InferenceSession;
  input: TensorInfo;
  /** Names of the encoder's outputs, in the order of the decoder's features. */
  outputs: readonly string[];
  ports: PromptDecoderPorts;
  /** Called before a number of runs, and after each one. */
  progress: { expect(runs: number): void; onRun(): void };
}

type InputValues = Pick<PromptNetworkContract, 'range' | 'mean' | 'deviation'>;

const plain: InputValues = { range: [0, 255], mean: [0, 0, 0], deviation: [1, 1, 1] };
/** Known ways in which encoders take pictures, the likeliest first. */
const ways: InputValues[] = [
  { range: [0, 1], mean: [0.485, 0.456, 0.406], deviation: [0.229, 0.224, 0.225] },
  { ...plain, range: [0, 1] },
  { range: [0, 1], mean: [0.5, 0.5, 0.5], deviation: [0.5, 0.5, 0.5] },
  plain,
];

/** Overlap (intersection over union) from which on a click has selected the subject. */
const minOverlap = 0.5;
/** With so many subjects selected no other way is tried. */
const enoughFound = 2;

/** Finds the contract. @throws EnlargerError MODEL_REFUSED if no click selects a drawn subject */
export async function findPrompts(
  trial: PromptTrial,
): Promise<{ contract: PromptNetworkContract; notes: string[] }> {
  const contract = contractOf(trial);
  const tried = contract.layout === 'HWC' ? [plain, ...ways.slice(0, 2)] : ways;
  const scenes = scenesFor(contract);
  let best: TriedWay | undefined;
  for (const [i, way] of tried.entries()) {
    trial.progress.expect((i === 0 ? 1 : tried.length - i) * scenes.length);
    const result = await tryWay(trial, { ...contract, ...way }, scenes);
    if (!best || result.found > best.found) best = result;
    if (best.found >= enoughFound) break;
  }
  if (!best || best.found === 0)
    throw refused(
      'A click on a drawn subject selected it in none of the known ways to use such a network. It is damaged, or exported in another way than Segment Anything.',
    );
  const clicks = note('CLICKS_TRIED', {
    ...{ scenes: scenes.length, found: best.found, percent: Math.round(100 * best.overlap) },
    ...{ width: contract.sidePx, height: contract.sidePx },
  });
  return { contract: best.contract, notes: [clicks] };
}

/** Bright before dark, dark before bright, and green before brown; not square unless pictures are stretched. */
function scenesFor(contract: PromptNetworkContract): Scene[] {
  const { width, height } = sizeForEncoder(contract, { width: 4, height: 3 });
  const [, , , leaf, mug, ball] = drawScenes(width, height);
  return [ball, mug, leaf].flatMap((scene) => scene ?? []);
}

interface TriedWay {
  contract: PromptNetworkContract;
  found: number;
  /** Mean of all scenes. */
  overlap: number;
}

async function tryWay(
  { encoder, decoder, progress }: PromptTrial,
  contract: PromptNetworkContract,
  scenes: readonly Scene[],
): Promise<TriedWay> {
  const overlaps: number[] = [];
  for (const scene of scenes) {
    const tensor = encoderTensor(scene.colours, scene, contract);
    const features = await encodePicture(encoder, contract, tensor).catch(cannotRun);
    const prompts = [{ label: 1 as const, ...middleOf(scene) }];
    const question = { features, picture: scene, prompts };
    const found = await decodePrompts(decoder, contract, question).catch(cannotRun);
    overlaps.push(overlapOf(found, scene));
    progress.onRun();
  }
  return {
    contract,
    found: overlaps.filter((overlap) => overlap >= minOverlap).length,
    overlap: overlaps.reduce((sum, overlap) => sum + overlap, 0) / overlaps.length,
  };
}

const cannotRun = (error: unknown): never => {
  if (error instanceof EnlargerError) throw refused(error.message);
  throw refused(`Encoder and decoder cannot run together: ${firstLine(error)}`);
};

/** Mean position of a subject, in shares of the sides. All drawn subjects cover their own. */
function middleOf({ mask, width, height }: Scene): { x: number; y: number } {
  let [sum, x, y] = [0, 0, 0];
  for (const [at, value] of mask.entries()) {
    sum += value;
    x += value * ((at % width) + 0.5);
    y += value * (Math.floor(at / width) + 0.5);
  }
  return { x: x / sum / width, y: y / sum / height };
}

/** Intersection over union at the pixels of the scene. */
function overlapOf(found: Mask, { mask, width, height }: Scene): number {
  let [both, either] = [0, 0];
  for (const [at, value] of mask.entries()) {
    const x = Math.floor(((at % width) * found.width) / width);
    const y = Math.floor((Math.floor(at / width) * found.height) / height);
    const isFound = (found.data[y * found.width + x] as number) > 0.5;
    const isMeant = value > 0.5;
    if (isFound && isMeant) both += 1;
    if (isFound || isMeant) either += 1;
  }
  return either === 0 ? 0 : both / either;
}

/** SAM 2 gives further features of finer steps, and stretches its pictures; ZIM has such, and attention. */
const isStretched = ({ features, attentionPx, takesPictureSize }: PromptDecoderPorts) =>
  features.length > 1 && attentionPx === undefined && !takesPictureSize;

function contractOf({ input, outputs, ports }: PromptTrial): PromptNetworkContract {
  const { shape = [] } = input;
  const layout = shape.length === 3 ? 'HWC' : 'NCHW';
  // Of [height, width, 3] or [1, 3, height, width].
  const [height, width] = layout === 'HWC' ? shape : shape.slice(-2);
  if (typeof width !== 'number' || height !== width)
    throw refused(`The encoder takes ${shape.join(' x ')}; its pictures have to be square.`);
  const matting = ports.attentionPx !== undefined;
  const stretches = isStretched(ports);
  return {
    input: input.name,
    layout,
    sidePx: width,
    fit: stretches ? 'stretch' : 'longSide',
    ...plain,
    matting,
    decoder: decoderOf(outputs, ports, stretches),
  };
}

function decoderOf(
  outputs: readonly string[],
  { features, maskBefore, takesPictureSize, attentionPx, output, hasScores }: PromptDecoderPorts,
  stretches: boolean,
): PromptNetworkContract['decoder'] {
  const { points, labels, mask, isMaskGiven, pictureSize, attention, scores } = promptInputs;
  return {
    features: features.map(({ name }, i) => ({ output: outputs[i] ?? name, input: name })),
    points,
    labels,
    isPadded: !stretches,
    ...(maskBefore && { maskBefore: { mask, isGiven: isMaskGiven, ...maskBefore } }),
    ...(takesPictureSize && { pictureSize }),
    ...(attentionPx !== undefined && { attention: { input: attention, sidePx: attentionPx } }),
    output,
    ...(hasScores && { scores }),
    spansPadding: output !== promptInputs.masks || !takesPictureSize,
  };
}
