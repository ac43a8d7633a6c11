/** Writes small ONNX files: just enough of the protobuf format for networks whose answer is known. */

type Field = [number: number, value: number | string | Uint8Array];

function varint(value: number): number[] {
  const bytes: number[] = [];
  let rest = BigInt.asUintN(64, BigInt(value));
  while (rest > 127n) {
    bytes.push(Number(rest & 127n) | 128);
    rest >>= 7n;
  }
  return [...bytes, Number(rest)];
}

/** A protobuf message: numbers as varints, texts and messages by length. */
export function message(...fields: Field[]): Uint8Array {
  const parts = fields.map(([number, value]) => {
    if (typeof value === 'number') return Buffer.from([...varint(number * 8), ...varint(value)]);
    const bytes = Buffer.from(value);
    return Buffer.concat([
      Buffer.from([...varint(number * 8 + 2), ...varint(bytes.length)]),
      bytes,
    ]);
  });
  return Buffer.concat(parts);
}

const floatType = 1;

export interface OnnxNode {
  kind: string;
  inputs: string[];
  output: string;
  integers?: Record<string, number>;
  lists?: Record<string, number[]>;
  texts?: Record<string, string>;
}

export interface OnnxConstant {
  name: string;
  shape: number[];
  values: number[];
}

export const scalar = (name: string, value: number): OnnxConstant => ({
  name,
  shape: [1],
  values: [value],
});

export interface OnnxGraph {
  nodes: OnnxNode[];
  constants: OnnxConstant[];
  /** A number is a fixed dimension, a text a free one. Absent: all inputs are `others`. */
  input?: (number | string)[];
  /** Absent: all outputs are `outputs`. */
  output?: (number | string)[];
  /** Outputs of other names, each made by a node. */
  outputs?: { name: string; shape: (number | string)[] }[];
  /** Further inputs, float32. */
  others?: { name: string; shape: (number | string)[] }[];
  /** A further output, which a node makes under this name. */
  aside?: { name: string; shape: (number | string)[] };
}

const attributeKinds = { integer: 2, text: 3, list: 7 };

function nodeOf(node: OnnxNode): Uint8Array {
  const integers = Object.entries(node.integers ?? {}).map(([name, value]): Field => [
    5,
    message([1, name], [3, value], [20, attributeKinds.integer]),
  ]);
  const texts = Object.entries(node.texts ?? {}).map(([name, value]): Field => [
    5,
    message([1, name], [4, value], [20, attributeKinds.text]),
  ]);
  const lists = Object.entries(node.lists ?? {}).map(([name, values]): Field => [
    5,
    message([1, name], ...values.map((value): Field => [8, value]), [20, attributeKinds.list]),
  ]);
  const inputs = node.inputs.map((input): Field => [1, input]);
  return message(...inputs, [2, node.output], [4, node.kind], ...integers, ...texts, ...lists);
}

function constantOf({ name, shape, values }: OnnxConstant): Uint8Array {
  const raw = Buffer.from(Float32Array.from(values).buffer);
  return message(...shape.map((size): Field => [1, size]), [2, floatType], [8, name], [9, raw]);
}

function valueOf(name: string, shape: (number | string)[]): Uint8Array {
  const dims = shape.map((size): Field => [1, message([typeof size === 'number' ? 1 : 2, size])]);
  return message([1, name], [2, message([1, message([1, floatType], [2, message(...dims)])])]);
}

/** The bytes of a model whose first input is called `input` and whose output is called `output`. */
export function onnxModel(graph: OnnxGraph): Uint8Array {
  const body = message(
    ...graph.nodes.map((node): Field => [1, nodeOf(node)]),
    [2, 'test'],
    ...graph.constants.map((constant): Field => [5, constantOf(constant)]),
    ...(graph.input ? [[11, valueOf('input', graph.input)] satisfies Field] : []),
    ...(graph.others ?? []).map(({ name, shape }): Field => [11, valueOf(name, shape)]),
    ...(graph.output ? [[12, valueOf('output', graph.output)] satisfies Field] : []),
    ...(graph.outputs ?? []).map(({ name, shape }): Field => [12, valueOf(name, shape)]),
    ...(graph.aside ? [[12, valueOf(graph.aside.name, graph.aside.shape)] satisfies Field] : []),
  );
  return message([1, 8], [7, body], [8, message([1, ''], [2, 17])]);
}
