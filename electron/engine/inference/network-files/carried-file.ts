/**
 * Rewrites a network's file so that it computes a picture in steps of some rows, from its top. Each
 * convolution is given the last rows of the step before, and values on paths around convolutions are delayed,
 * so that no row is computed twice. A step takes the next rows of the picture and the rows that the last step
 * left (`NAME.before`). It gives rows of the answer that lie `lagPx` above its own, and the rows that it
 * leaves (`NAME.after`).
 *
 * Rows are carried as 8-bit numbers, between a QuantizeLinear and its DequantizeLinear. Only networks that
 * carry nothing else, except for the picture itself, are rewritten.
 */
import { bytesInMemory, type ByteSource } from '../../onnx/byte-source.ts';
import { copied } from '../../onnx/rewrite-onnx.ts';
import { bytesField, numberField, type Piece, type WireField } from '../../onnx/protobuf.ts';
import { planCarriedRows, reachOf, type CarriedPlan, type CarriedRows } from './carried-plan.ts';
import {
  besideNodes,
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

export interface CarriedFile {
  file: Buffer;
  carried: CarriedRows[];
  /** It tells how many rows above those of its step an answer lies, in pixels of the picture. */
  lagPx: number;
}

/**
 * Rewrites a file. The answer is undefined where the network is of another kind. It throws MODEL_REFUSED
 * where the file is no ONNX file.
 */
export function carriedFile(file: Buffer): CarriedFile | undefined {
  const source = bytesInMemory(file);
  let plan: CarriedPlan | undefined;
  const rewritten = withGraph(source, (graph) => {
    plan = planCarriedRows(source, graph);
    return plan ? carryingGraph(source, graph, plan) : [];
  });
  return plan && { file: rewritten, carried: plan.carried, lagPx: plan.lagPx };
}

/** The end of a slice that goes to the last row. */
const toTheEnd = 2 ** 31 - 1;
const rowsOfPlanes = 2;

function carryingGraph(source: ByteSource, graph: Graph, plan: CarriedPlan): Piece[] {
  const { carried, ofPicture, takenBy } = plan;
  const keptOf = new Map(carried.map((one) => [one.name, one]));
  const nodes: Piece[] = [];
  const numbers = new Set<number>();
  const number = (value: number) => {
    numbers.add(value);
    return numberName(value);
  };
  const slice = (from: string, first: number, end: number, to: string) =>
    nodeOf('Slice', [from, number(first), number(end), number(rowsOfPlanes)], to);
  const join = (name: string) => {
    const one = keptOf.get(name);
    if (!one) return;
    const before = one.isPicture ? `${name}.before` : `${name}.above`;
    if (!one.isPicture) nodes.push(...transposed(`${name}.before`, before, [0, 3, 1, 2]));
    nodes.push(...nodeOf('Concat', [before, name], `${name}.joined`, [['axis', rowsOfPlanes]]));
  };
  /** Adds the nodes that cut out the rows which a node gets in place of a value, and names their result. */
  const given = (node: GraphNode, name: string): string => {
    const taken = takenBy(node, name);
    if (!taken) return name;
    const { stored, undoing, rows, heldBack } = taken;
    const above = (keptOf.get(stored)?.rows ?? 0) - rows;
    let part = rows > 0 ? `${stored}.joined` : stored;
    const own = `${node.outputs.join()}.${name}`;
    if (rows > 0 && (above > 0 || heldBack > 0)) {
      nodes.push(...slice(part, above, heldBack > 0 ? -heldBack : toTheEnd, `${own}.rows`));
      part = `${own}.rows`;
    }
    if (!undoing) return part;
    nodes.push(...nodeOf(undoing.operation, [part, ...undoing.inputs.slice(1)], own));
    return own;
  };

  graph.inputs.forEach(join);
  for (const node of graph.nodes) {
    if (ofPicture.has(node)) {
      if (node.operation === 'DequantizeLinear') continue;
      const inputs = node.inputs.map((name) => given(node, name));
      nodes.push(...withRows(source, node, inputs));
    } else nodes.push(...copied(source, node.field));
    node.outputs.forEach(join);
  }
  // onnxruntime computes these nodes in reverse order, so each carried value is cut as soon as it is there.
  for (const { name, rows, isPicture } of carried.toReversed()) {
    const after = isPicture ? `${name}.after` : `${name}.below`;
    nodes.push(...slice(`${name}.joined`, -rows, toTheEnd, after));
    if (!isPicture) nodes.push(...transposed(after, `${name}.after`, [0, 2, 3, 1]));
  }
  return [
    ...nodes,
    ...[...numbers].flatMap(wholeNumber),
    ...besideNodes(source, graph),
    ...carried.flatMap(endsOf),
  ];
}

/** Writes a node with other inputs. A convolution, now given the rows above and below, does not pad them. */
function withRows(source: ByteSource, node: GraphNode, inputs: readonly string[]): Piece[] {
  if (node.operation !== 'Conv') return withInputs(source, node, inputs);
  const isPads = (part: WireField) =>
    part.number === inNode.attribute && textsOf(source, part, inAttribute.name).includes('pads');
  const side = reachOf(source, node) ?? 0;
  const pads = attribute('pads', [0, side, 0, side]);
  return withInputs(source, node, inputs, (part) => !isPads(part), pads);
}

function nodeOf(
  operation: string,
  inputs: readonly string[],
  output: string,
  attributes: readonly [string, number | readonly number[]][] = [],
): Piece[] {
  return bytesField(inGraph.node, [
    ...inputs.flatMap((name) => bytesField(inNode.input, name)),
    ...bytesField(inNode.output, output),
    ...bytesField(inNode.operation, operation),
    ...attributes.flatMap(([name, value]) => attribute(name, value)),
  ]);
}

/** Transposes a value: 8-bit rows are carried with their channels last, as onnxruntime computes them. */
const transposed = (from: string, to: string, order: readonly number[]) =>
  nodeOf('Transpose', [from], to, [['perm', order]]);

const attribute = (name: string, value: number | readonly number[]): Piece[] =>
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

/** Writes a constant that is a list of one 64-bit number. */
function wholeNumber(value: number): Piece[] {
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
 * Writes the input and the output of the graph for a carried value. The number of its channels follows from
 * the value with which it is concatenated.
 */
function endsOf({ name, rows, isPicture }: CarriedRows): Piece[] {
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
