/** An ncnn layer's settings, and what its conversion to ONNX nodes takes and gives. */
import type { GraphBuilder } from '../../../../electron/engine/onnx/write-onnx.ts';
import { refused } from '../../../../electron/engine/onnx/refused.ts';
import type { BinReader } from './read-bin.ts';
import type { Layer } from './read-param.ts';

/** A layer is converted to nodes with these. */
export interface LayerWork {
  graph: GraphBuilder;
  bin: BinReader;
  /** The names, in the graph, of the values that the layer takes. */
  inputs: string[];
  /** The number of channels of each input. */
  channels: number[];
}

/** One output of a layer: its name in the graph, and how many channels it has. */
export interface LayerResult {
  name: string;
  channels: number;
}

export type Conversion = (layer: Layer, work: LayerWork) => LayerResult[];

/** ncnn writes this for a number that is not set. */
export const unset = -233;

export const settingOf = (layer: Layer, key: number, usual: number) =>
  layer.numbers.get(key) ?? usual;

export function firstOf({ inputs, channels }: LayerWork): LayerResult {
  return { name: inputs[0] ?? '', channels: channels[0] ?? 0 };
}

export const cannot = (layer: Layer, what: string) =>
  refused(`The layer ${layer.name.slice(0, 40)} (${layer.type}) ${what}, which cannot be turned.`);
