/** What a layer of an ncnn network is turned with, and what it gives. */
import type { GraphBuilder } from '../onnx/write-onnx.ts';
import type { BinReader } from './read-bin.ts';

/** What a layer is turned with. */
export interface LayerWork {
  graph: GraphBuilder;
  bin: BinReader;
  /** Names of what the layer takes. */
  inputs: string[];
  /** How many channels each of them has. */
  channels: number[];
}

/** What a layer gives: for each output its name in the graph and its channels. */
export interface LayerResult {
  name: string;
  channels: number;
}
