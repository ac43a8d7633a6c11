/** Plans the row buffers with which a network can process a picture in strips of some rows. */
import { type ByteSource, numbersIn } from '../../../../packages/onnx/src/index.ts';
import {
  inAttribute,
  inNode,
  partsOf,
  textsOf,
  type Graph,
  type GraphNode,
} from './network-graph.ts';

/** The rows of one value (the picture, or one computed from it) that a strip passes to the next one. */
export interface RowBuffer {
  name: string;
  rows: number;
  isPicture: boolean;
}

export interface RowBufferPlan {
  buffers: RowBuffer[];
  lagPx: number;
  /** Nodes whose values depend on the picture. */
  ofPicture: ReadonlySet<GraphNode>;
  /** The rows that a node reads of a value that depends on the picture; undefined for constants. */
  inputOf: (node: GraphNode, name: string) => RowInput | undefined;
}

interface RowInput {
  /** The value before its DequantizeLinear, and that node; without such a node, the value itself. */
  stored: string;
  dequantise: GraphNode | undefined;
  /** Rows needed from above the strip, and rows at the strip's end that are not read yet. */
  rows: number;
  heldBack: number;
}

/** Operations that compute each row by itself. */
const rowByRow = ['Add', 'Sub', 'Relu', 'Clip', 'QuantizeLinear', 'DequantizeLinear'];
/** The operation whose output has more rows than its input; no buffers are possible after it. */
const enlarging = 'DepthToSpace';

/** Rows above and below its own that a node reads; undefined: unknown. */
export function kernelRadius(
  source: ByteSource,
  { field, operation }: GraphNode,
): number | undefined {
  if (rowByRow.includes(operation) || operation === enlarging) return 0;
  if (operation !== 'Conv') return undefined;
  const attributes = new Map(
    partsOf(source, field, inNode.attribute).map((part) => [
      textsOf(source, part, inAttribute.name).join(),
      partsOf(source, part, inAttribute.wholes).flatMap((one) => numbersIn(source, one)),
    ]),
  );
  const { kernel_shape: kernel = [], pads = [], ...others } = Object.fromEntries(attributes);
  const [radius = 0] = pads;
  const isPlain = Object.keys(others).length === 0 && pads.every((pad) => pad === radius);
  return isPlain && kernel.every((side) => side === 2 * radius + 1) ? radius : undefined;
}

/** Plans the buffers; undefined if the network is of another kind. */
export function planRowBuffers(
  source: ByteSource,
  { nodes, inputs, outputs }: Graph,
): RowBufferPlan | undefined {
  const [picture, ...otherInputs] = inputs;
  const [output, ...otherOutputs] = outputs;
  if (picture === undefined || output === undefined) return undefined;
  if (otherInputs.length > 0 || otherOutputs.length > 0) return undefined;
  const producers = producersOf(picture, nodes);
  const isOfPicture = (name: string) => name === picture || producers.has(name);
  const ofPicture = new Set(producers.values());
  const radii = new Map([...ofPicture].map((node) => [node, kernelRadius(source, node)]));
  const leads = leadsOf(output, radii, isOfPicture);
  if (!leads) return undefined;
  const inputOf = (node: GraphNode, name: string): RowInput | undefined => {
    if (!isOfPicture(name)) return undefined;
    const producer = producers.get(name);
    const dequantise = producer?.operation === 'DequantizeLinear' ? producer : undefined;
    const stored = dequantise?.inputs[0] ?? name;
    const radius = radii.get(node) ?? 0;
    const heldBack = (leads.get(stored) ?? 0) - radius - (leads.get(node.outputs[0] ?? '') ?? 0);
    return { stored, dequantise, rows: heldBack + 2 * radius, heldBack };
  };
  const kept = bufferedRows(ofPicture, inputOf);
  const buffers = [...kept].map(([name, rows]) => ({ name, rows, isPicture: name === picture }));
  const isOfBytes = ({ name, isPicture }: RowBuffer) =>
    isPicture || producers.get(name)?.operation === 'QuantizeLinear';
  if (!buffers.every(isOfBytes)) return undefined;
  return { buffers, lagPx: leads.get(picture) ?? 0, ofPicture, inputOf };
}

/** Maps each value that depends on the picture to its node; nodes are in the order of computation. */
function producersOf(picture: string, nodes: readonly GraphNode[]): Map<string, GraphNode> {
  const producers = new Map<string, GraphNode>();
  for (const node of nodes)
    if (node.inputs.some((name) => name === picture || producers.has(name)))
      node.outputs.forEach((name) => producers.set(name, node));
  return producers;
}

/**
 * Rows by which each value is ahead of the output: the minimum that its users allow, so that buffers are
 * small. Undefined if the network cannot be streamed.
 */
function leadsOf(
  output: string,
  radii: ReadonlyMap<GraphNode, number | undefined>,
  isOfPicture: (name: string) => boolean,
): Map<string, number> | undefined {
  const leads = new Map([[output, 0]]);
  for (const [node, radius] of [...radii].toReversed()) {
    const own = leads.get(node.outputs[0] ?? '');
    if (radius === undefined || own === undefined || node.outputs.length > 1) return undefined;
    if (node.operation === enlarging && own > 0) return undefined;
    for (const name of node.inputs.filter(isOfPicture))
      leads.set(name, Math.max(leads.get(name) ?? 0, own + radius));
  }
  return leads;
}

/** Rows of each stored value that must be buffered for the nodes that read it. */
function bufferedRows(
  ofPicture: ReadonlySet<GraphNode>,
  inputOf: RowBufferPlan['inputOf'],
): Map<string, number> {
  const kept = new Map<string, number>();
  for (const node of ofPicture) {
    if (node.operation === 'DequantizeLinear') continue;
    for (const { stored, rows } of node.inputs.flatMap((name) => inputOf(node, name) ?? []))
      if (rows > 0) kept.set(stored, Math.max(rows, kept.get(stored) ?? 0));
  }
  return kept;
}
