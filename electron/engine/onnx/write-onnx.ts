/**
 * Writes ONNX files (opset 17): a graph is built node by node, and its weights are read one after the other
 * while the file is written.
 */
import { closeSync, openSync, writeSync } from 'node:fs';
import { bytesField, numberField, type Piece } from './protobuf.ts';
import { countOf, type Weights } from './tensor.ts';
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
  /** Adds a node and answers the name of its output. */
  node(operation: string, inputs: readonly string[], attributes?: Attributes): string;
  /** Adds a node with several outputs and answers their names. */
  nodes(
    operation: string,
    inputs: readonly string[],
    outputs: number,
    attributes?: Attributes,
  ): string[];
  /** Adds weights and answers their name. */
  weights(weights: Weights): string;
  /** Adds a list of whole numbers, such as shapes, axes, and indices, and answers its name. */
  integers(values: readonly number[]): string;
  /** Adds a scalar and answers its name. */
  number(value: number): string;
}

/** The names of the network's only input and only output. */
export const inputName = 'input';
export const outputName = 'output';

export interface FinishedGraph {
  pieces: Piece[];
  channels: { input: number; output: number };
}

interface OnnxGraph extends GraphBuilder {
  /** Answers the pieces of the whole file; the value `from` becomes the output. */
  finish(from: string, channels: { input: number; output: number }): FinishedGraph;
}

export function createGraph(): OnnxGraph {
  const nodes: Piece[] = [];
  const constants: Piece[] = [];
  let last = 0;
  const name = () => `t${(last += 1)}`;
  const addConstant = (encoded: (name: string) => Piece[]) => {
    const made = name();
    constants.push(...encoded(made));
    return made;
  };
  const addFloats = (shape: readonly number[], raw: Piece) =>
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

/** Small pieces are put together up to this many bytes before they are written. */
const writtenAtOnceBytes = 256 * 1024;

/** Writes the pieces as a new file; it fails where there is one already. */
export function writePieces(path: string, pieces: readonly Piece[]): void {
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
