/**
 * Writes ONNX files (opset 17): a graph is built node by node, and its weights are read one after the other
 * while the file is written.
 */
import { closeSync, openSync, writeSync } from 'node:fs';
import { bytesField, numberField, type OutputPiece } from './protobuf.ts';
import { countOf, type WeightTensor } from './tensor.ts';
import {
  bytesOfFloats,
  floatsField,
  inputField,
  integersField,
  nodeField,
  outputField,
  type Attributes,
} from './encode-onnx.ts';

export interface GraphBuilder {
  /** Adds a node. @returns the name of its output */
  node(operation: string, inputs: readonly string[], attributes?: Attributes): string;
  /** Adds a node with several outputs. @returns their names */
  nodes(
    operation: string,
    inputs: readonly string[],
    outputs: number,
    attributes?: Attributes,
  ): string[];
  /** Adds weights. @returns their name */
  weights(weights: WeightTensor): string;
  /** Adds a list of integers, such as shapes, axes and indices. @returns its name */
  integers(values: readonly number[]): string;
  /** Adds a scalar. @returns its name */
  number(value: number): string;
}

/** Names of the network's only input and output. */
export const inputName = 'input';
export const outputName = 'output';

export interface FinishedGraph {
  pieces: OutputPiece[];
  channels: { input: number; output: number };
}

interface OnnxGraph extends GraphBuilder {
  /** Returns the pieces of the whole file. @param from the value that becomes the output */
  finish(from: string, channels: { input: number; output: number }): FinishedGraph;
}

export function createGraph(): OnnxGraph {
  const nodes: OutputPiece[] = [];
  const constants: OutputPiece[] = [];
  let last = 0;
  const name = () => `t${(last += 1)}`;
  const addConstant = (encoded: (name: string) => OutputPiece[]) => {
    const made = name();
    constants.push(...encoded(made));
    return made;
  };
  const addFloats = (shape: readonly number[], raw: OutputPiece) =>
    addConstant((made) => floatsField(made, shape, raw));
  return {
    node(operation, inputs, attributes) {
      const output = name();
      nodes.push(...nodeField(operation, inputs, [output], attributes));
      return output;
    },
    nodes(operation, inputs, outputs, attributes) {
      const names = Array.from({ length: outputs }, name);
      nodes.push(...nodeField(operation, inputs, names, attributes));
      return names;
    },
    weights: (weights) =>
      addFloats(weights.shape, {
        byteLength: countOf(weights.shape) * 4,
        read: () => bytesOfFloats(weights.floats()),
      }),
    integers: (values) => addConstant((made) => integersField(made, values)),
    number: (value) => addFloats([], bytesOfFloats(Float32Array.of(value))),
    finish(from, channels) {
      nodes.push(...nodeField('Identity', [from], [outputName]));
      const graph = [
        ...nodes,
        ...bytesField(2, 'network'),
        ...constants,
        ...inputField(inputName, ['batch', channels.input, 'height', 'width']),
        ...outputField(outputName, ['batch', channels.output, 'height_out', 'width_out']),
      ];
      return {
        channels,
        pieces: [
          ...numberField(1, 8),
          ...bytesField(2, 'Enlarger'),
          ...bytesField(7, graph),
          ...bytesField(8, [...bytesField(1, ''), ...numberField(2, 17)]),
        ],
      };
    },
  };
}

/** Small pieces are concatenated up to this size before they are written. */
const writtenAtOnceBytes = 256 * 1024;

/** Writes the pieces to a new file. @throws if the file exists */
export function writePieces(path: string, pieces: readonly OutputPiece[]): void {
  const file = openSync(path, 'wx', 0o600);
  let waiting: Uint8Array[] = [];
  let waitingBytes = 0;
  const write = (bytes: Uint8Array) => {
    for (let done = 0; done < bytes.length;)
      done += writeSync(file, bytes, done, bytes.length - done);
  };
  const flush = () => {
    write(Buffer.concat(waiting));
    waiting = [];
    waitingBytes = 0;
  };
  try {
    for (const piece of pieces) {
      const bytes = piece instanceof Uint8Array ? piece : piece.read();
      if (bytes.length !== piece.byteLength)
        throw new Error(`A piece of ${piece.byteLength} bytes gave ${bytes.length}`);
      waiting.push(bytes);
      waitingBytes += bytes.length;
      if (waitingBytes >= writtenAtOnceBytes) flush();
    }
    flush();
  } finally {
    closeSync(file);
  }
}
