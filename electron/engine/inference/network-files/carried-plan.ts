/** Plans which rows of which values a network must carry to compute a picture in steps of some rows. */
import type { ByteSource } from '../../onnx/byte-source.ts';
import { numbersIn } from '../../onnx/protobuf.ts';
import {
  inAttribute,
  inNode,
  partsOf,
  textsOf,
  type Graph,
  type GraphNode,
} from './network-graph.ts';

/** The rows of one value, the picture or one computed from it, that a step leaves to the next one. */
export interface CarriedRows {
  name: string;
  rows: number;
  isPicture: boolean;
}

export interface CarriedPlan {
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
  /** It tells how many rows above the step's own the node needs, and how many of its last ones it leaves out. */
  rows: number;
  heldBack: number;
}

/** The operations that compute each row by itself. */
const rowByRow = ['Add', 'Sub', 'Relu', 'Clip', 'QuantizeLinear', 'DequantizeLinear'];
/** The operation whose answer has more rows than its input, so that nothing behind it may be carried. */
const enlarging = 'DepthToSpace';

/** Tells how many rows above and below its own a node reads; undefined where that is not known. */
export function reachOf(source: ByteSource, { field, operation }: GraphNode): number | undefined {
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

/** Plans the rows; undefined where the network is of another kind. */
export function planCarriedRows(
  source: ByteSource,
  { nodes, inputs, outputs }: Graph,
): CarriedPlan | undefined {
  const [picture, ...otherInputs] = inputs;
  const [output, ...otherOutputs] = outputs;
  if (picture === undefined || output === undefined) return undefined;
  if (otherInputs.length > 0 || otherOutputs.length > 0) return undefined;
  const makers = makersOf(picture, nodes);
  const isOfPicture = (name: string) => name === picture || makers.has(name);
  const ofPicture = new Set(makers.values());
  const reaches = new Map([...ofPicture].map((node) => [node, reachOf(source, node)]));
  const leads = leadsOf(output, reaches, isOfPicture);
  if (!leads) return undefined;
  const takenBy = (node: GraphNode, name: string): Taken | undefined => {
    if (!isOfPicture(name)) return undefined;
    const maker = makers.get(name);
    const undoing = maker?.operation === 'DequantizeLinear' ? maker : undefined;
    const stored = undoing?.inputs[0] ?? name;
    const reach = reaches.get(node) ?? 0;
    const heldBack = (leads.get(stored) ?? 0) - reach - (leads.get(node.outputs[0] ?? '') ?? 0);
    return { stored, undoing, rows: heldBack + 2 * reach, heldBack };
  };
  const kept = keptRows(ofPicture, takenBy);
  const carried = [...kept].map(([name, rows]) => ({ name, rows, isPicture: name === picture }));
  const isOfBytes = ({ name, isPicture }: CarriedRows) =>
    isPicture || makers.get(name)?.operation === 'QuantizeLinear';
  if (!carried.every(isOfBytes)) return undefined;
  return { carried, lagPx: leads.get(picture) ?? 0, ofPicture, takenBy };
}

/** Finds the maker of each value that depends on the picture; nodes stand in the order of computation. */
function makersOf(picture: string, nodes: readonly GraphNode[]): Map<string, GraphNode> {
  const makers = new Map<string, GraphNode>();
  for (const node of nodes)
    if (node.inputs.some((name) => name === picture || makers.has(name)))
      node.outputs.forEach((name) => makers.set(name, node));
  return makers;
}

/**
 * Tells by how many rows each value is ahead of the answer: as few as its users allow, so that least is
 * carried. It is undefined where rows cannot be carried.
 */
function leadsOf(
  output: string,
  reaches: ReadonlyMap<GraphNode, number | undefined>,
  isOfPicture: (name: string) => boolean,
): Map<string, number> | undefined {
  const leads = new Map([[output, 0]]);
  for (const [node, reach] of [...reaches].toReversed()) {
    const own = leads.get(node.outputs[0] ?? '');
    if (reach === undefined || own === undefined || node.outputs.length > 1) return undefined;
    if (node.operation === enlarging && own > 0) return undefined;
    for (const name of node.inputs.filter(isOfPicture))
      leads.set(name, Math.max(leads.get(name) ?? 0, own + reach));
  }
  return leads;
}

/** Gives how many rows of each stored value must be kept for the nodes that take it. */
function keptRows(
  ofPicture: ReadonlySet<GraphNode>,
  takenBy: CarriedPlan['takenBy'],
): Map<string, number> {
  const kept = new Map<string, number>();
  for (const node of ofPicture) {
    if (node.operation === 'DequantizeLinear') continue;
    for (const { stored, rows } of node.inputs.flatMap((name) => takenBy(node, name) ?? []))
      if (rows > 0) kept.set(stored, Math.max(rows, kept.get(stored) ?? 0));
  }
  return kept;
}
