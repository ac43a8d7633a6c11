/**
 * Splits a network's file at its condition. What follows from the condition alone, such as the biases of convolutions, is
 * three quarters of the nodes, and onnxruntime needs longer to fold them, for each condition anew, than to load the rest.
 * So they are a network of their own, which is loaded once; what it gives for a condition are constants of the other one.
 */
import {
  bytesField,
  bytesInMemory,
  copied,
  inputField,
  numberField,
  numbersIn,
  type ByteSource,
  type OutputPiece,
  type WireField,
} from '../../../../packages/onnx/src/index.ts';
import {
  inGraph,
  inTensor,
  inValue,
  partsOf,
  textsOf,
  withFields,
  withTwoGraphs,
  type Graph,
  type GraphNode,
} from './network-graph.ts';

export interface SplitNetwork {
  /** Takes the condition as its input, by the constant's name; its outputs are constants of the other network. */
  condition: Buffer;
  /** Lacks those constants. */
  network: Buffer;
}

/**
 * Splits a file.
 *
 * @param constant name of the condition
 * @returns undefined if nothing follows from the condition alone
 * @throws EnlargerError MODEL_REFUSED if the file is not ONNX
 */
export function splitCondition(file: Buffer, constant: string): SplitNetwork | undefined {
  const source = bytesInMemory(file);
  const both = withTwoGraphs(source, (graph) => splitGraph(source, graph, constant));
  return both && { condition: both[0], network: both[1] };
}

/** Nodes that may stay with the picture's, because onnxruntime joins them with those. */
const joined = 'DequantizeLinear';

function splitGraph(
  source: ByteSource,
  graph: Graph,
  constant: string,
): [OutputPiece[], OutputPiece[]] | undefined {
  const { nodes } = graph;
  const ofPicture = reachedFrom(graph.inputs, nodes);
  const usersOf = usersIn(nodes);
  const isForPicture = (node: GraphNode) =>
    node.outputs.every((name) => usersOf(name).every((user) => ofPicture.has(user)));
  const own = new Set(
    [...reachedFrom([constant], nodes)].filter(
      (node) => !ofPicture.has(node) && !(node.operation === joined && isForPicture(node)),
    ),
  );
  const rest = nodes.filter((node) => !own.has(node));
  // Constants of either part that are computed.
  for (const node of rest.toReversed())
    if (
      !ofPicture.has(node) &&
      node.outputs.some((name) => usersOf(name).some((user) => own.has(user)))
    )
      own.add(node);
  const isInRest = (node: GraphNode) =>
    !own.has(node) || node.outputs.some((name) => usersOf(name).some((user) => !own.has(user)));
  const staying = rest.filter(isInRest);
  const needed = new Set(staying.flatMap(({ inputs }) => inputs));
  const madeInRest = new Set(staying.flatMap(({ outputs }) => outputs));
  const ports = [...own]
    .flatMap(({ outputs }) => outputs)
    .filter((name) => needed.has(name) && !madeInRest.has(name));
  const condition = initializersOf(source, graph).get(constant);
  if (ports.length === 0 || !condition) return undefined;
  const first = nodes.filter((node) => own.has(node));
  return [
    [
      ...partOf(source, graph, first, [constant]),
      ...inputField(constant, sidesOf(source, condition)),
      ...ports.flatMap((name) => bytesField(inGraph.output, bytesField(inValue.name, name))),
    ],
    [
      ...partOf(source, graph, staying),
      ...graph.fields
        .filter(({ number }) => number === inGraph.input || number === inGraph.output)
        .flatMap((field) => copied(source, field)),
    ],
  ];
}

/** Nodes whose values depend on one of the names. */
function reachedFrom(names: readonly string[], nodes: readonly GraphNode[]): Set<GraphNode> {
  const reached = new Set(names);
  const found = new Set<GraphNode>();
  for (const node of nodes) {
    if (!node.inputs.some((name) => reached.has(name))) continue;
    found.add(node);
    for (const name of node.outputs) reached.add(name);
  }
  return found;
}

function usersIn(nodes: readonly GraphNode[]): (name: string) => readonly GraphNode[] {
  const users = new Map<string, GraphNode[]>();
  for (const node of nodes)
    for (const name of node.inputs) users.set(name, [...(users.get(name) ?? []), node]);
  return (name) => users.get(name) ?? [];
}

const initializersOf = (source: ByteSource, { fields }: Graph): Map<string, WireField> =>
  new Map(
    fields
      .filter(({ number }) => number === inGraph.initializer)
      .map((field) => [textsOf(source, field, inTensor.name).join(), field]),
  );

const sidesOf = (source: ByteSource, tensor: WireField): number[] =>
  partsOf(source, tensor, inTensor.sides).flatMap((part) => numbersIn(source, part));

/** Copies nodes, the initializers that they use, and what is neither a value nor its type. */
function partOf(
  source: ByteSource,
  graph: Graph,
  nodes: readonly GraphNode[],
  without: readonly string[] = [],
): OutputPiece[] {
  const used = new Set(nodes.flatMap(({ inputs }) => inputs));
  for (const name of without) used.delete(name);
  const others = graph.fields.filter(({ number }) => !Object.values(inGraph).includes(number));
  const initializers = [...initializersOf(source, graph)].filter(([name]) => used.has(name));
  return [
    ...nodes.map(({ field }) => field),
    ...initializers.map(([, field]) => field),
    ...others,
  ].flatMap((field) => copied(source, field));
}

/** Of onnx.proto, by onnxruntime's names. */
const elementTypes = { float32: 1, uint8: 2, int8: 3, int32: 6 } as const;
export type ConstantType = keyof typeof elementTypes;

export const isConstantType = (type: string): type is ConstantType => type in elementTypes;

export interface ComputedConstant {
  name: string;
  type: ConstantType;
  sides: readonly number[];
  bytes: Uint8Array;
}

/** The network under a condition, for which these constants were computed. */
export const withConstants = (network: Buffer, constants: readonly ComputedConstant[]): Buffer =>
  withFields(
    network,
    constants.flatMap(({ name, type, sides, bytes }) =>
      bytesField(inGraph.initializer, [
        ...sides.flatMap((length) => numberField(inTensor.sides, length)),
        ...numberField(inTensor.elementType, elementTypes[type]),
        ...bytesField(inTensor.name, name),
        ...bytesField(inTensor.bytes, [bytes]),
      ]),
    ),
  );
