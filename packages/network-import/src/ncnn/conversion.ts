/** Types and helpers with which the conversions of ncnn layers to ONNX nodes are written. */
import { type GraphBuilder, refused } from '../../../onnx/src/index.ts';
import type { BinReader } from './read-bin.ts';
import type { NcnnLayer } from './read-param.ts';

/** Context of one layer's conversion. */
export interface LayerContext {
  graph: GraphBuilder;
  bin: BinReader;
  /** The graph's names of the layer's input values. */
  inputs: string[];
  /** Number of channels of each input. */
  channels: number[];
}

/** One output of a layer: its value's name in the graph and its number of channels. */
export interface LayerOutput {
  name: string;
  channels: number;
}

export type LayerConversion = (layer: NcnnLayer, context: LayerContext) => LayerOutput[];

/** ncnn's placeholder of a number that is not set. */
export const unset = -233;

export const numberOf = (layer: NcnnLayer, key: number, usual: number) =>
  layer.numbers.get(key) ?? usual;

export function firstInput({ inputs, channels }: LayerContext): LayerOutput {
  return { name: inputs[0] ?? '', channels: channels[0] ?? 0 };
}

export const unsupportedLayer = (layer: NcnnLayer, what: string) =>
  refused(`The layer ${layer.name.slice(0, 40)} (${layer.type}) ${what}, which cannot be turned.`);
