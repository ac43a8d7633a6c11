/**
 * Rewrites a network's file so that it computes in half precision, for devices that gain by it. So a second
 * file of the same weights need not be kept.
 *
 * The kernels of the networks that Enlarger brings are stored as 16-bit floats, and a Cast makes them 32-bit
 * floats when the file is loaded. Here their convolutions take them as they are stored, and the nodes between
 * such convolutions compute in half precision, too; casts stand where half precision begins and ends. The
 * picture's own path beside the network, and what is computed from constants alone, stay in single precision.
 * The result is that of `floating(…, half=True)` in models/training/graph.py.
 */
import { bytesInMemory, type ByteSource } from '../../onnx/byte-source.ts';
import { floatTypes } from '../../onnx/encode-onnx.ts';
import { cast, copied } from '../../onnx/rewrite-onnx.ts';
import type { Piece } from '../../onnx/protobuf.ts';
import {
  besideNodes,
  inGraph,
  inTensor,
  partsOf,
  textsOf,
  withGraph,
  withInputs,
  type Graph,
  type GraphNode,
} from './network-graph.ts';

/** The operations between convolutions that go over to half precision with them. */
const between = ['Add', 'Relu'];

/**
 * Rewrites a file. One whose kernels are not stored as 16-bit floats stays as it is. It throws MODEL_REFUSED
 * where the file is no ONNX file.
 */
export function halfFile(file: Buffer): Buffer {
  const source = bytesInMemory(file);
  return withGraph(source, (graph) => halfGraph(source, graph));
}

/** Names the constants that are stored as 16-bit floats. */
const halfConstantsOf = (source: ByteSource, { fields }: Graph) =>
  new Set(
    fields
      .filter(({ number }) => number === inGraph.initializer)
      .filter((field) => partsOf(source, field, inTensor.elementType)[0]?.value === floatTypes.half)
      .flatMap((field) => textsOf(source, field, inTensor.name)),
  );

/** Writes the graph's fields. Nodes stand in the order of computation, so each one's inputs are known. */
function halfGraph(source: ByteSource, graph: Graph): Piece[] {
  const ofPicture = new Set(graph.inputs);
  const halfConstants = halfConstantsOf(source, graph);
  const half = new Set<string>();
  const casts = new Set<string>();
  /** The name of a kernel as it is stored, by its name in single precision. */
  const stored = new Map<string, string>();
  const nodes: Piece[] = [];

  const as = (name: string, made: string, type: number): string => {
    if (!casts.has(made)) nodes.push(...cast(name, made, type));
    casts.add(made);
    return made;
  };
  const halfName = (name: string) => `${name}.as-half`;
  const asHalf = (name: string) =>
    half.has(name) ? name : (stored.get(name) ?? as(name, halfName(name), floatTypes.half));
  const isThereInHalf = (name: string) => half.has(name) || casts.has(halfName(name));
  const asSingle = (name: string) =>
    half.has(name) ? as(name, `${name}.as-single`, floatTypes.single) : name;
  const goesOver = ({ operation, inputs, outputs }: GraphNode): boolean => {
    if (outputs.some((name) => graph.outputs.includes(name))) return false;
    if (operation === 'Conv') return stored.has(inputs[1] ?? '');
    const given = inputs.filter((name) => ofPicture.has(name));
    return between.includes(operation) && given.every(isThereInHalf);
  };

  for (const node of graph.nodes) {
    const [first = ''] = node.inputs;
    const [output = ''] = node.outputs;
    if (node.operation === 'Cast' && halfConstants.has(first)) stored.set(output, first);
    if (!node.inputs.some((name) => ofPicture.has(name))) {
      nodes.push(...copied(source, node.field));
      continue;
    }
    const over = goesOver(node);
    const inputs = node.inputs.map((name) => (over ? asHalf(name) : asSingle(name)));
    nodes.push(...withInputs(source, node, inputs));
    for (const name of node.outputs) {
      ofPicture.add(name);
      if (over) half.add(name);
    }
  }
  return [...nodes, ...besideNodes(source, graph)];
}
