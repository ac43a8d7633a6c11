/**
 * A network's file as one that computes in half precision, for devices that gain by it.
 *
 * The kernels of the networks that Enlarger brings are stored as 16-bit floats, which a cast makes 32-bit
 * ones when the file is loaded. Here their convolutions take them as they are, and so does what lies between
 * such convolutions; casts stand where half precision begins and ends. What the picture takes as its own path,
 * and what is computed of constants alone, stays in single precision, so a second file of the same weights
 * need not be kept. It says the same as `floating(…, half=True)` in models/training/graph.py.
 */
import { bytesInMemory, type ByteSource } from '../../importing/byte-source.ts';
import { floatTypes } from '../../importing/onnx/encode-onnx.ts';
import { cast, copied } from '../../importing/onnx/rewrite-onnx.ts';
import type { Piece } from '../../importing/protobuf.ts';
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

/** What may stand between two convolutions, and goes over to half precision with them. */
const between = ['Add', 'Relu'];

/** The file as it is where none of its kernels is stored so. Throws MODEL_REFUSED where it is no ONNX file. */
export function halfFile(file: Buffer): Buffer {
  const source = bytesInMemory(file);
  return withGraph(source, (graph) => halfGraph(source, graph));
}

/** Names of the constants that are stored as 16-bit floats. */
const halfConstantsOf = (source: ByteSource, { fields }: Graph) =>
  new Set(
    fields
      .filter(({ number }) => number === inGraph.initializer)
      .filter((field) => partsOf(source, field, inTensor.elementType)[0]?.value === floatTypes.half)
      .flatMap((field) => textsOf(source, field, inTensor.name)),
  );

/** The graph's fields; nodes stand in the order in which they compute, so each knows what it is given. */
function halfGraph(source: ByteSource, graph: Graph): Piece[] {
  const ofPicture = new Set(graph.inputs);
  const halfConstants = halfConstantsOf(source, graph);
  const half = new Set<string>();
  const casts = new Set<string>();
  /** By the name of a kernel in single precision, the one that is stored. */
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
