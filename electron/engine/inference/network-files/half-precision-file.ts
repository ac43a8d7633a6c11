/**
 * Rewrites a network's file to compute in half precision, for devices that gain by it, so that no second file
 * of the same weights is needed.
 *
 * Enlarger's networks store kernels as 16-bit floats, and a Cast converts them to 32-bit floats on loading.
 * Here their convolutions take them as stored, and the nodes between such convolutions compute in half
 * precision as well, with casts at the borders. The path of the picture around the network, and what is
 * computed from constants alone, stay in single precision. The result is that of `floating(…, half=True)` in
 * models/training/graph.py.
 */
import {
  bytesInMemory,
  type ByteSource,
  floatTypes,
  cast,
  copied,
  type OutputPiece,
} from '../../../../packages/onnx/src/index.ts';
import {
  nonNodeFields,
  inAttribute,
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

/** Operations between convolutions that are converted with them. */
const convertible = ['Add', 'Relu'];

/**
 * Rewrites a file; returns one whose kernels are not 16-bit floats unchanged.
 *
 * @throws EnlargerError MODEL_REFUSED if the file is not ONNX
 */
export function halfFile(file: Buffer): Buffer {
  const source = bytesInMemory(file);
  return withGraph(source, (graph) => halfGraph(source, graph));
}

/** Names of the initializers stored as 16-bit floats. */
const halfConstantsOf = (source: ByteSource, { fields }: Graph) =>
  new Set(
    fields
      .filter(({ number }) => number === inGraph.initializer)
      .filter((field) => partsOf(source, field, inTensor.elementType)[0]?.value === floatTypes.half)
      .flatMap((field) => textsOf(source, field, inTensor.name)),
  );

/** Element type that a Cast converts to. */
const castType = (source: ByteSource, { field }: GraphNode) =>
  partsOf(source, field, inNode.attribute).flatMap((attribute) =>
    partsOf(source, attribute, inAttribute.whole).map(({ value }) => value),
  )[0];

/** Writes the graph's fields. Nodes are in the order of computation, so the inputs of each are known. */
function halfGraph(source: ByteSource, graph: Graph): OutputPiece[] {
  const ofPicture = new Set(graph.inputs);
  const halfConstants = halfConstantsOf(source, graph);
  const half = new Set<string>();
  const casts = new Set<string>();
  /** Name of a kernel as stored, by its name in single precision. */
  const stored = new Map<string, string>();
  const nodes: OutputPiece[] = [];

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
  const isConverted = ({ operation, inputs, outputs }: GraphNode): boolean => {
    if (outputs.some((name) => graph.outputs.includes(name))) return false;
    if (operation === 'Conv') return stored.has(inputs[1] ?? '');
    const given = inputs.filter((name) => ofPicture.has(name));
    return convertible.includes(operation) && given.every(isThereInHalf);
  };

  for (const node of graph.nodes) {
    const [first = ''] = node.inputs;
    const [output = ''] = node.outputs;
    if (node.operation === 'Cast' && halfConstants.has(first)) stored.set(output, first);
    if (!node.inputs.some((name) => ofPicture.has(name))) {
      // Kernels blended of two networks' are computed from constants.
      if (node.operation === 'Cast' && castType(source, node) === floatTypes.half)
        halfConstants.add(output);
      nodes.push(...copied(source, node.field));
      continue;
    }
    const converted = isConverted(node);
    const inputs = node.inputs.map((name) => (converted ? asHalf(name) : asSingle(name)));
    nodes.push(...withInputs(source, node, inputs));
    for (const name of node.outputs) {
      ofPicture.add(name);
      if (converted) half.add(name);
    }
  }
  return [...nodes, ...nonNodeFields(source, graph)];
}
