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
import { bytesInMemory, type ByteSource } from '../../importing/byte-source.ts';
import { copied } from '../../importing/onnx/rewrite-onnx.ts';
import {
  bytesField,
  numberField,
  numbersIn,
  type Piece,
  type WireField,
} from '../../importing/protobuf.ts';
import {
  besideNodes,
  inGraph,
  inNode,
  inTensor,
  partsOf,
  textsOf,
  withGraph,
  withInputs,
  type Graph,
  type GraphNode,
} from './network-graph.ts';

const inAttribute = { name: 1, whole: 3, wholes: 8, type: 20 };
const attributeTypes = { whole: 2, wholes: 7 };
const elementTypes = { single: 1, byte: 2, long: 7 };

/** The rows of one value, the picture or one computed from it, that a step leaves to the next one. */
export interface CarriedRows {
  name: string;
  rows: number;
  isPicture: boolean;
}

export interface CarriedFile {
  file: Buffer;
  carried: CarriedRows[];
  /** How many rows above those of its step an answer lies, in pixels of the picture. */
  lagPx: number;
}

/**
 * Rewrites a file. The answer is undefined where the network is of another kind. It throws MODEL_REFUSED
 * where the file is no ONNX file.
 */
export function carriedFile(file: Buffer): CarriedFile | undefined {
  const source = bytesInMemory(file);
  let plan: Plan | undefined;
  const rewritten = withGraph(source, (graph) => {
    plan = planCarrying(source, graph);
    return plan ? carryingGraph(source, graph, plan) : [];
  });
  return plan && { file: rewritten, carried: plan.carried, lagPx: plan.lagPx };
}

interface Plan {
  carried: CarriedRows[];
  lagPx: number;
  /** The nodes whose values depend on the picture. */
  ofPicture: ReadonlySet<GraphNode>;
  /** Tells which rows a node takes of a value that depends on the picture; undefined for constants. */
  takenBy: (node: GraphNode, name: string) => Taken | undefined;
}

interface Taken {
  /** The value before its DequantizeLinear, and that node; without such a node, the value itself. */
  stored: string;
  undoing: GraphNode | undefined;
  /** How many rows above the step's own the node needs, and how many of its last ones it leaves out. */
  rows: number;
  heldBack: number;
}

/** The operations that compute each row by itself. */
const rowByRow = ['Add', 'Sub', 'Relu', 'Clip', 'QuantizeLinear', 'DequantizeLinear'];
/** The operation whose answer has more rows than its input, so that nothing behind it may be carried. */
const enlarging = 'DepthToSpace';

/** Tells how many rows above and below its own a node reads; undefined where that is not known. */
function reachOf(source: ByteSource, { field, operation }: GraphNode): number | undefined {
  if (rowByRow.includes(operation) || operation === enlarging) return 0;
  if (operation !== 'Conv') return undefined;
  const attributes = new Map(
    partsOf(source, field, inNode.attribute).map((part) => [
      textsOf(source, part, inAttribute.name).join(),
      partsOf(source, part, inAttribute.wholes).flatMap((one) => numbersIn(source, one)),
    ]),
  );
  const { kernel_shape: kernel = [], pads = [], ...others } = Object.fromEntries(attributes);
  const [reach = 0] = pads;
  const isPlain = Object.keys(others).length === 0 && pads.every((pad) => pad === reach);
  return isPlain && kernel.every((side) => side === 2 * reach + 1) ? reach : undefined;
}

function planCarrying(source: ByteSource, { nodes, inputs, outputs }: Graph): Plan | undefined {
  const [picture, ...otherInputs] = inputs;
  const [output, ...otherOutputs] = outputs;
  if (picture === undefined || output === undefined) return undefined;
  if (otherInputs.length > 0 || otherOutputs.length > 0) return undefined;
  const makers = new Map<string, GraphNode>();
  for (const node of nodes)
    if (node.inputs.some((name) => name === picture || makers.has(name)))
      node.outputs.forEach((name) => makers.set(name, node));
  const ofPicture = new Set(makers.values());
  const reaches = new Map([...ofPicture].map((node) => [node, reachOf(source, node)]));
  /** By how many rows a value is ahead of the answer: as few as its users allow, so that least is carried. */
  const leads = new Map([[output, 0]]);
  for (const node of [...ofPicture].toReversed()) {
    const reach = reaches.get(node);
    const own = leads.get(node.outputs[0] ?? '');
    if (reach === undefined || own === undefined || node.outputs.length > 1) return undefined;
    if (node.operation === enlarging && own > 0) return undefined;
    for (const name of node.inputs)
      if (name === picture || makers.has(name))
        leads.set(name, Math.max(leads.get(name) ?? 0, own + reach));
  }
  const takenBy = (node: GraphNode, name: string): Taken | undefined => {
    if (name !== picture && !makers.has(name)) return undefined;
    const maker = makers.get(name);
    const undoing = maker?.operation === 'DequantizeLinear' ? maker : undefined;
    const stored = undoing?.inputs[0] ?? name;
    const reach = reaches.get(node) ?? 0;
    const heldBack = (leads.get(stored) ?? 0) - reach - (leads.get(node.outputs[0] ?? '') ?? 0);
    return { stored, undoing, rows: heldBack + 2 * reach, heldBack };
  };
  const kept = new Map<string, number>();
  for (const node of ofPicture) {
    if (node.operation === 'DequantizeLinear') continue;
    for (const { stored, rows } of node.inputs.flatMap((name) => takenBy(node, name) ?? []))
      if (rows > 0) kept.set(stored, Math.max(rows, kept.get(stored) ?? 0));
  }
  const carried = [...kept].map(([name, rows]) => ({ name, rows, isPicture: name === picture }));
  const isOfBytes = ({ name, isPicture }: CarriedRows) =>
    isPicture || makers.get(name)?.operation === 'QuantizeLinear';
  if (!carried.every(isOfBytes)) return undefined;
  return { carried, lagPx: leads.get(picture) ?? 0, ofPicture, takenBy };
}

/** The end of a slice that goes to the last row. */
const toTheEnd = 2 ** 31 - 1;
const rowsOfPlanes = 2;

function carryingGraph(source: ByteSource, graph: Graph, plan: Plan): Piece[] {
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
