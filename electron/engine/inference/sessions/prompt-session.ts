/** The two halves of a network that takes prompts, loaded on the CPU. */
import type { InferenceSession } from 'onnxruntime-node';
import { Tensor } from 'onnxruntime-node';
import { EnlargerError } from '../../../../packages/contract/src/errors.ts';
import type { Size } from '../../../../packages/contract/src/geometry.ts';
import type { FeatureTensor, Mask } from '../../tiles/mask-tensor.ts';
import {
  objectMask,
  promptTensors,
  type DecoderContract,
  type Prompt,
} from '../../tiles/prompt-tensors.ts';

/** What is asked of a decoder. */
export interface PromptQuestion {
  /** In the order of the descriptor. */
  features: readonly FeatureTensor[];
  /** Size of the picture within the encoder's square. */
  picture: Size;
  prompts: readonly Prompt[];
}

/** Runs an encoder. Returns its features in the decoder's order. @throws EnlargerError INVALID_OUTPUT */
export async function encodePicture(
  session: InferenceSession,
  { input, decoder }: { input: string; decoder: Pick<DecoderContract, 'features'> },
  { dims, data }: FeatureTensor,
): Promise<FeatureTensor[]> {
  const names = decoder.features.map(({ output }) => output);
  const outputs = await session.run({ [input]: new Tensor('float32', data, dims) }, names);
  return names.map((name) => {
    const found = tensorOf(outputs[name]);
    if (!found) throw new EnlargerError('INVALID_OUTPUT', `The encoder gave no ${name}.`);
    // Copied, because the next run may reuse the array.
    return { ...found, data: found.data.slice() };
  });
}

/** Runs a decoder. @throws EnlargerError INVALID_OUTPUT */
export async function decodePrompts(
  session: InferenceSession,
  { sidePx, decoder }: { sidePx: number; decoder: DecoderContract },
  { features, picture, prompts }: PromptQuestion,
): Promise<Mask> {
  const feeds: Record<string, Tensor> = {};
  const given = promptTensors(decoder, sidePx, picture, prompts);
  for (const [i, { input }] of decoder.features.entries()) {
    const feature = features[i];
    if (feature) given[input] = feature;
  }
  for (const [name, { dims, data }] of Object.entries(given))
    feeds[name] = new Tensor('float32', data, dims);
  const { output: name, scores } = decoder;
  const outputs = await session.run(feeds, [name, ...(scores === undefined ? [] : [scores])]);
  const output = tensorOf(outputs[name]);
  if (!output) throw new EnlargerError('INVALID_OUTPUT', `The decoder gave no ${name}.`);
  const answer = {
    output,
    scores: scores === undefined ? undefined : tensorOf(outputs[scores])?.data,
  };
  return objectMask(answer, decoder, sidePx, picture, prompts);
}

function tensorOf(tensor: Tensor | undefined): FeatureTensor | undefined {
  const data = tensor?.data;
  return tensor && data instanceof Float32Array ? { dims: tensor.dims, data } : undefined;
}
