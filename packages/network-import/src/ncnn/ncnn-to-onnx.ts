/**
 * Converts an ncnn network to an ONNX graph. Weights are consumed in the order of the layers, as in the .bin.
 */
import {
  type ByteSource,
  createGraph,
  inputName,
  type FinishedGraph,
  refused,
} from '../../../onnx/src/index.ts';
import { createBinReader } from './read-bin.ts';
import type { LayerOutput, LayerContext } from './conversion.ts';
import { layerConversions } from './layers.ts';
import type { NcnnLayer } from './read-param.ts';

/** @throws MODEL_REFUSED for layer types that are not supported, and for damaged or mismatched files. */
export function ncnnToOnnx(layers: readonly NcnnLayer[], weights: ByteSource): FinishedGraph {
  const graph = createGraph();
  const bin = createBinReader(weights);
  const blobs = new Map<string, LayerOutput>();
  const input = { name: inputName, channels: inputChannels(layers) };
  const unused = new Set<string>();
  for (const layer of layers) {
    const taken = layer.inputs.map((name) => blobs.get(name) ?? missingBlob(layer, name));
    for (const name of layer.inputs) unused.delete(name);
    const given =
      layer.type === 'Input'
        ? [input]
        : convertLayer(layer, {
            graph,
            bin,
            inputs: taken.map(({ name }) => name),
            channels: taken.map(({ channels }) => channels),
          });
    for (const { channels } of given) assertChannels(layer, channels);
    for (const [i, name] of layer.outputs.entries()) {
      blobs.set(name, given[i] ?? given[0] ?? missingBlob(layer, name));
      unused.add(name);
    }
  }
  bin.assertEnd();
  const output = findOutput(layers, unused);
  const { name, channels } = blobs.get(output) ?? missingBlob(layers[0] as NcnnLayer, output);
  return graph.finish(name, { input: input.channels, output: channels });
}

function convertLayer(layer: NcnnLayer, work: LayerContext): LayerOutput[] {
  const kind = layerConversions[layer.type];
  if (kind) return kind(layer, work);
  throw refused(
    `The network has a layer of type ${layer.type.slice(0, 40)} (${layer.name.slice(0, 40)}), which is not one of those that ncnn's enlargers use: ${Object.keys(layerConversions).join(', ')}.`,
  );
}

const maxChannels = 65_536;

function assertChannels({ name }: NcnnLayer, channels: number): void {
  if (Number.isInteger(channels) && channels >= 1 && channels <= maxChannels) return;
  throw refused(
    `The .param file is damaged: the layer ${name.slice(0, 40)} would have ${channels} channels.`,
  );
}

function missingBlob(layer: NcnnLayer, name: string): never {
  throw refused(
    `The .param file is damaged: the layer ${layer.name.slice(0, 40)} takes ${name.slice(0, 40)}, which no layer before it gives.`,
  );
}

/**
 * Number of channels of the input picture, derived from the first convolution after it: its weight count
 * divided by outputs x kernel area. 3 without such a convolution.
 */
function inputChannels(layers: readonly NcnnLayer[]): number {
  const inputs = layers.filter(({ type }) => type === 'Input');
  if (inputs.length !== 1)
    throw refused(
      `The network takes ${inputs.length} pictures; networks that take one can be used.`,
    );
  const names = new Set(inputs[0]?.outputs);
  for (const { type, inputs: taken, outputs, numbers } of layers) {
    if (!taken.some((name) => names.has(name))) continue;
    if (type === 'Convolution') {
      const kernel = (numbers.get(1) ?? 1) * (numbers.get(11) ?? numbers.get(1) ?? 1);
      return (numbers.get(6) ?? 0) / ((numbers.get(0) ?? 1) * kernel);
    }
    if (type === 'Split') for (const name of outputs) names.add(name);
  }
  return 3;
}

function findOutput(layers: readonly NcnnLayer[], unused: ReadonlySet<string>): string {
  const last = layers.at(-1)?.outputs.find((name) => unused.has(name));
  const [only] = unused;
  const found = last ?? only;
  if (found === undefined) throw refused('The .param file is damaged: no layer gives a picture.');
  return found;
}
