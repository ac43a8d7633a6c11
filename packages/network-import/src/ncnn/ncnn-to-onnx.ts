/** Converts an ncnn network to an ONNX graph, layer by layer in the file's and the weights' order. */
import type { ByteSource } from '../../../../electron/engine/onnx/byte-source.ts';
import {
  createGraph,
  inputName,
  type FinishedGraph,
} from '../../../../electron/engine/onnx/write-onnx.ts';
import { refused } from '../../../../electron/engine/onnx/refused.ts';
import { createBinReader } from './read-bin.ts';
import type { LayerResult, LayerWork } from './conversion.ts';
import { layerKinds } from './layers.ts';
import type { Layer } from './read-param.ts';

/** Converts the layers with their weights to a graph. It throws MODEL_REFUSED. */
export function ncnnToOnnx(layers: readonly Layer[], weights: ByteSource): FinishedGraph {
  const graph = createGraph();
  const bin = createBinReader(weights);
  const blobs = new Map<string, LayerResult>();
  const input = { name: inputName, channels: inputChannels(layers) };
  const unread = new Set<string>();
  for (const layer of layers) {
    const taken = layer.inputs.map((name) => blobs.get(name) ?? missing(layer, name));
    for (const name of layer.inputs) unread.delete(name);
    const given =
      layer.type === 'Input'
        ? [input]
        : converted(layer, {
            graph,
            bin,
            inputs: taken.map(({ name }) => name),
            channels: taken.map(({ channels }) => channels),
          });
    for (const { channels } of given) assertChannels(layer, channels);
    for (const [i, name] of layer.outputs.entries()) {
      blobs.set(name, given[i] ?? given[0] ?? missing(layer, name));
      unread.add(name);
    }
  }
  bin.assertEnd();
  const output = onlyOutput(layers, unread);
  const { name, channels } = blobs.get(output) ?? missing(layers[0] as Layer, output);
  return graph.finish(name, { input: input.channels, output: channels });
}

function converted(layer: Layer, work: LayerWork): LayerResult[] {
  const kind = layerKinds[layer.type];
  if (kind) return kind(layer, work);
  throw refused(
    `The network has a layer of type ${layer.type.slice(0, 40)} (${layer.name.slice(0, 40)}), which is not one of those that ncnn's enlargers use: ${Object.keys(layerKinds).join(', ')}.`,
  );
}

const mostChannels = 65_536;

function assertChannels({ name }: Layer, channels: number): void {
  if (Number.isInteger(channels) && channels >= 1 && channels <= mostChannels) return;
  throw refused(
    `The .param file is damaged: the layer ${name.slice(0, 40)} would have ${channels} channels.`,
  );
}

function missing(layer: Layer, name: string): never {
  throw refused(
    `The .param file is damaged: the layer ${layer.name.slice(0, 40)} takes ${name.slice(0, 40)}, which no layer before it gives.`,
  );
}

/**
 * Finds how many channels the picture has: the first convolution tells, because it has outputs x channels x
 * kernel weights. Without one the picture has three.
 */
function inputChannels(layers: readonly Layer[]): number {
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

function onlyOutput(layers: readonly Layer[], unread: ReadonlySet<string>): string {
  const last = layers.at(-1)?.outputs.find((name) => unread.has(name));
  const [only] = unread;
  const found = last ?? only;
  if (found === undefined) throw refused('The .param file is damaged: no layer gives a picture.');
  return found;
}
