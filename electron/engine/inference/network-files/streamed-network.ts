/**
 * Rewrites a network's file so that it processes a picture in strips of some rows, from top to bottom. Each
 * convolution gets the last rows of the preceding strip from a row buffer, and values on paths around
 * convolutions are delayed, so that no row is computed twice. A strip's inputs are its rows and the buffers
 * of the preceding strip (`NAME.before`); its outputs are rows that lie `lagPx` above its own, and the new
 * buffers (`NAME.after`).
 *
 * Buffers hold 8-bit numbers, between a QuantizeLinear and its DequantizeLinear. Only networks whose buffers
 * are all of this kind, except for the picture itself, are rewritten.
 */
import {
  bytesInMemory,
  type ByteSource,
  copied,
  bytesField,
  numberField,
  type OutputPiece,
  type WireField,
} from '../../../../packages/onnx/src/index.ts';
import {
  planRowBuffers,
  kernelRadius,
  type RowBufferPlan,
  type RowBuffer,
} from './row-buffer-plan.ts';
import {
  nonNodeFields,
  inAttribute,
  inGraph,
  inNode,
  inTensor,
  textsOf,
  withGraph,
  withInputs,
  type Graph,
  type GraphNode,
} from './network-graph.ts';

const attributeTypes = { whole: 2, wholes: 7 };
const elementTypes = { single: 1, byte: 2, long: 7 };

export interface StreamedNetwork {
  file: Buffer;
  buffers: RowBuffer[];
  /** Rows by which the output lags behind the input, in pixels of the picture. */
  lagPx: number;
}

/**
 * Rewrites a file.
 *
 * @returns undefined if the network is of another kind
 * @throws EnlargerError MODEL_REFUSED if the file is not ONNX
 */
export function streamedNetwork(file: Buffer): StreamedNetwork | undefined {
  const source = bytesInMemory(file);
  let plan: RowBufferPlan | undefined;
  const rewritten = withGraph(source, (graph) => {
    plan = planRowBuffers(source, graph);
    return plan ? streamedGraph(source, graph, plan) : [];
  });
  return plan && { file: rewritten, buffers: plan.buffers, lagPx: plan.lagPx };
}

/** Slice end that means the last row. */
const lastRow = 2 ** 31 - 1;
const rowsOfPlanes = 2;

function streamedGraph(source: ByteSource, graph: Graph, plan: RowBufferPlan): OutputPiece[] {
  const { buffers, ofPicture, inputOf } = plan;
  const bufferOf = new Map(buffers.map((one) => [one.name, one]));
  const nodes: OutputPiece[] = [];
  const numbers = new Set<number>();
  const number = (value: number) => {
    numbers.add(value);
    return numberName(value);
  };
  const slice = (from: string, first: number, end: number, to: string) =>
    nodeOf('Slice', [from, number(first), number(end), number(rowsOfPlanes)], to);
  const join = (name: string) => {
    const one = bufferOf.get(name);
    if (!one) return;
    const before = one.isPicture ? `${name}.before` : `${name}.above`;
    if (!one.isPicture) nodes.push(...transposed(`${name}.before`, before, [0, 3, 1, 2]));
    nodes.push(...nodeOf('Concat', [before, name], `${name}.joined`, [['axis', rowsOfPlanes]]));
  };
  /** Adds the nodes that slice a node's input rows out of a value. @returns the name of the slice */
  const slicedInput = (node: GraphNode, name: string): string => {
    const input = inputOf(node, name);
    if (!input) return name;
    const { stored, dequantise, rows, heldBack } = input;
    const above = (bufferOf.get(stored)?.rows ?? 0) - rows;
    let part = rows > 0 ? `${stored}.joined` : stored;
    const own = `${node.outputs.join()}.${name}`;
    if (rows > 0 && (above > 0 || heldBack > 0)) {
      nodes.push(...slice(part, above, heldBack > 0 ? -heldBack : lastRow, `${own}.rows`));
      part = `${own}.rows`;
    }
    if (!dequantise) return part;
    nodes.push(...nodeOf(dequantise.operation, [part, ...dequantise.inputs.slice(1)], own));
    return own;
  };

  graph.inputs.forEach(join);
  for (const node of graph.nodes) {
    if (ofPicture.has(node)) {
      if (node.operation === 'DequantizeLinear') continue;
      const inputs = node.inputs.map((name) => slicedInput(node, name));
      nodes.push(...withRows(source, node, inputs));
    } else nodes.push(...copied(source, node.field));
    node.outputs.forEach(join);
  }
  // onnxruntime computes these nodes in reverse order, so each buffer is cut as soon as it exists.
  for (const { name, rows, isPicture } of buffers.toReversed()) {
    const after = isPicture ? `${name}.after` : `${name}.below`;
    nodes.push(...slice(`${name}.joined`, -rows, lastRow, after));
    if (!isPicture) nodes.push(...transposed(after, `${name}.after`, [0, 2, 3, 1]));
  }
  return [
    ...nodes,
    ...[...numbers].flatMap(wholeNumber),
    ...nonNodeFields(source, graph),
    ...buffers.flatMap(bufferPorts),
  ];
}

/**
 * Writes a node with other inputs. A convolution, which now gets the rows above and below, does not pad them.
 */
function withRows(source: ByteSource, node: GraphNode, inputs: readonly string[]): OutputPiece[] {
  if (node.operation !== 'Conv') return withInputs(source, node, inputs);
  const isPads = (part: WireField) =>
    part.number === inNode.attribute && textsOf(source, part, inAttribute.name).includes('pads');
  const side = kernelRadius(source, node) ?? 0;
  const pads = attribute('pads', [0, side, 0, side]);
  return withInputs(source, node, inputs, (part) => !isPads(part), pads);
}

function nodeOf(
  operation: string,
  inputs: readonly string[],
  output: string,
  attributes: readonly [string, number | readonly number[]][] = [],
): OutputPiece[] {
  return bytesField(inGraph.node, [
    ...inputs.flatMap((name) => bytesField(inNode.input, name)),
    ...bytesField(inNode.output, output),
    ...bytesField(inNode.operation, operation),
    ...attributes.flatMap(([name, value]) => attribute(name, value)),
  ]);
}

/** 8-bit buffers are stored channels-last, as onnxruntime computes them. */
const transposed = (from: string, to: string, order: readonly number[]) =>
  nodeOf('Transpose', [from], to, [['perm', order]]);

const attribute = (name: string, value: number | readonly number[]): OutputPiece[] =>
  bytesField(inNode.attribute, [
    ...bytesField(inAttribute.name, name),
    ...[value]
      .flat()
      .flatMap((one) =>
        numberField(typeof value === 'number' ? inAttribute.whole : inAttribute.wholes, one),
      ),
    ...numberField(
      inAttribute.type,
      typeof value === 'number' ? attributeTypes.whole : attributeTypes.wholes,
    ),
  ]);

const numberName = (value: number) => `number.${value}`;

/** Writes a constant that is a list of one 64-bit integer. */
function wholeNumber(value: number): OutputPiece[] {
  const bytes = Buffer.alloc(8);
  bytes.writeBigInt64LE(BigInt(value));
  return bytesField(inGraph.initializer, [
    ...numberField(inTensor.sides, 1),
    ...numberField(inTensor.elementType, elementTypes.long),
    ...bytesField(inTensor.name, numberName(value)),
    ...bytesField(inTensor.bytes, [bytes]),
  ]);
}

/**
 * Declares the graph's input and output of a row buffer. Its number of channels follows from the value with
 * which it is concatenated.
 */
function bufferPorts({ name, rows, isPicture }: RowBuffer): OutputPiece[] {
  const side = (length?: number) =>
    bytesField(1, length === undefined ? [] : numberField(1, length));
  const planes = [...side(), ...side(), ...side(rows), ...side()];
  const sides = isPicture ? planes : [...side(), ...side(rows), ...side(), ...side()];
  const type = isPicture ? elementTypes.single : elementTypes.byte;
  const tensor = bytesField(1, [...numberField(1, type), ...bytesField(2, sides)]);
  const value = (end: string) => [...bytesField(1, `${name}.${end}`), ...bytesField(2, tensor)];
  return [
    ...bytesField(inGraph.input, value('before')),
    ...bytesField(inGraph.output, value('after')),
  ];
}
