/**
 * Writes ONNX files (opset 17): a graph is built node by node, and its weights are read one after the other
 * while the file is written. The field numbers stand in
 * https://github.com/onnx/onnx/blob/main/onnx/onnx.proto.
 */
import { closeSync, openSync, writeSync } from 'node:fs';
import { bytesField, floatField, numberField, type Piece } from '../protobuf.ts';
import { countOf, type Weights } from '../tensor.ts';

type Attribute = number | string | number[] | { float: number } | { floats: number[] };
export type Attributes = Record<string, Attribute>;

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

const floatType = 1;
const integerType = 7;

/** The names of the network's only input and only output. */
export const inputName = 'input';
export const outputName = 'output';

export interface FinishedGraph {
  pieces: Piece[];
  channels: { input: number; output: number };
}

export interface OnnxGraph extends GraphBuilder {
  /** Answers the pieces of the whole file; the value `from` becomes the output. */
  finish(from: string, channels: { input: number; output: number }): FinishedGraph;
}

export function createGraph(): OnnxGraph {
  const nodes: Piece[] = [];
  const constants: Piece[] = [];
  let last = 0;
  const name = () => `t${(last += 1)}`;
  const addNode = (
    operation: string,
    inputs: readonly string[],
    outputs: readonly string[],
    attributes: Attributes = {},
  ) => {
    nodes.push(
      ...bytesField(1, [
        ...inputs.flatMap((input) => bytesField(1, input)),
        ...outputs.flatMap((output) => bytesField(2, output)),
        ...bytesField(4, operation),
        ...Object.entries(attributes).flatMap(([key, value]) =>
          bytesField(5, attribute(key, value)),
        ),
      ]),
    );
  };
  const addConstant = (shape: readonly number[], type: number, raw: Piece) => {
    const made = name();
    constants.push(
      ...bytesField(5, [
        ...shape.flatMap((side) => numberField(1, side)),
        ...numberField(2, type),
        ...bytesField(8, made),
        ...bytesField(9, [raw]),
      ]),
    );
    return made;
  };
  return {
    node(operation, inputs, attributes) {
      const output = name();
      addNode(operation, inputs, [output], attributes);
      return output;
    },
    nodes(operation, inputs, outputs, attributes) {
      const names = Array.from({ length: outputs }, name);
      addNode(operation, inputs, names, attributes);
      return names;
    },
    weights: (weights) =>
      addConstant(weights.shape, floatType, {
        byteLength: countOf(weights.shape) * 4,
        read: () => bytesOfFloats(weights.floats()),
      }),
    integers: (values) => addConstant([values.length], integerType, bytesOfIntegers(values)),
    number: (value) => addConstant([], floatType, bytesOfFloats(Float32Array.of(value))),
    finish(from, channels) {
      addNode('Identity', [from], [outputName]);
      const graph = [
        ...nodes,
        ...bytesField(2, 'network'),
        ...constants,
        ...bytesField(11, picture(inputName, ['batch', channels.input, 'height', 'width'])),
        ...bytesField(
          12,
          picture(outputName, ['batch', channels.output, 'height_out', 'width_out']),
        ),
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

function bytesOfFloats(values: Float32Array): Uint8Array {
  return new Uint8Array(values.buffer, values.byteOffset, values.byteLength);
}

function bytesOfIntegers(values: readonly number[]): Uint8Array {
  return new Uint8Array(BigInt64Array.from(values, BigInt).buffer);
}

/** Describes an input or output of a graph: 32-bit floats of this shape, in which a text is a free side. */
export function picture(name: string, sides: (string | number)[]): Piece[] {
  const dims = sides.flatMap((side) =>
    bytesField(1, typeof side === 'number' ? numberField(1, side) : bytesField(2, side)),
  );
  const tensor = [...numberField(1, floatType), ...bytesField(2, dims)];
  return [...bytesField(1, name), ...bytesField(2, bytesField(1, tensor))];
}

const kind = { float: 1, integer: 2, text: 3, floats: 6, integers: 7 };

function attribute(name: string, value: Attribute): Piece[] {
  const named = bytesField(1, name);
  if (typeof value === 'number')
    return [...named, ...numberField(3, value), ...numberField(20, kind.integer)];
  if (typeof value === 'string')
    return [...named, ...bytesField(4, value), ...numberField(20, kind.text)];
  if (Array.isArray(value)) {
    const all = value.flatMap((one) => numberField(8, one));
    return [...named, ...all, ...numberField(20, kind.integers)];
  }
  if ('float' in value)
    return [...named, ...floatField(2, value.float), ...numberField(20, kind.float)];
  const all = value.floats.flatMap((one) => floatField(7, one));
  return [...named, ...all, ...numberField(20, kind.floats)];
}

/** Small pieces are put together up to this many bytes before they are written. */
const writtenAtOnce = 256 * 1024;

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
      if (waitingBytes >= writtenAtOnce) flush();
    }
    flush();
  } finally {
    closeSync(file);
  }
}
