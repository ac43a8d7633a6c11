/** Reads and writes the graph of an ONNX file, as far as rewriting it for a device needs. */
import {
  bytesInMemory,
  type ByteSource,
  copied,
  bytesField,
  fieldsOf,
  refused,
  textIn,
  type OutputPiece,
  type WireField,
} from '../../../../packages/onnx/src/index.ts';

/** Field numbers of onnx.proto. */
const inModel = { graph: 7 };
export const inGraph = { node: 1, initializer: 5, input: 11, output: 12, valueInfo: 13 };
export const inNode = { input: 1, output: 2, operation: 4, attribute: 5 };
export const inAttribute = { name: 1, whole: 3, wholes: 8, type: 20 };
export const inTensor = { sides: 1, elementType: 2, name: 8, bytes: 9 };
export const inValue = { name: 1 };

export interface GraphNode {
  field: WireField;
  operation: string;
  inputs: string[];
  outputs: string[];
}

export interface Graph {
  fields: WireField[];
  /** In the order of computation. */
  nodes: GraphNode[];
  inputs: string[];
  outputs: string[];
}

/** Rewrites the graph of a file. @throws EnlargerError MODEL_REFUSED if the file is not ONNX */
export function withGraph(source: ByteSource, rewrite: (graph: Graph) => OutputPiece[]): Buffer {
  const { graph, modelWith } = openModel(source);
  return modelWith(rewrite(readGraph(source, graph)));
}

/** Rewrites the graph of a file into two files of one graph each. @throws as `withGraph` */
export function withTwoGraphs(
  source: ByteSource,
  rewrite: (graph: Graph) => [OutputPiece[], OutputPiece[]] | undefined,
): [Buffer, Buffer] | undefined {
  const { graph, modelWith } = openModel(source);
  const both = rewrite(readGraph(source, graph));
  return both && [modelWith(both[0]), modelWith(both[1])];
}

/** Adds fields to the graph of a file. @throws as `withGraph` */
export function withFields(file: Buffer, fields: readonly OutputPiece[]): Buffer {
  const source = bytesInMemory(file);
  const { graph, modelWith } = openModel(source);
  return modelWith([source.read(graph.at, graph.value), ...fields]);
}

function openModel(source: ByteSource) {
  const fields = [...fieldsOf(source, 0, source.size)];
  const graph = fields.find(({ number }) => number === inModel.graph);
  if (!graph) throw refused('This ONNX file has no graph.');
  /** Bytes of the model with the fields of another graph. */
  const modelWith = (fieldsOfGraph: readonly OutputPiece[]): Buffer => {
    const pieces = fields.flatMap((field) =>
      field === graph ? bytesField(inModel.graph, fieldsOfGraph) : copied(source, field),
    );
    return Buffer.concat(
      pieces.map((piece) => (piece instanceof Uint8Array ? piece : piece.read())),
    );
  };
  return { graph, modelWith };
}

/** Fields of the message that a field holds. */
export const fieldsIn = (source: ByteSource, { at, value }: WireField) => [
  ...fieldsOf(source, at, at + value),
];

/** Fields with a number in the message that a field holds. */
export const partsOf = (source: ByteSource, field: WireField, number: number) =>
  fieldsIn(source, field).filter((part) => part.number === number);

export const textsOf = (source: ByteSource, field: WireField, number: number) =>
  partsOf(source, field, number).map((part) => textIn(source, part));

function readGraph(source: ByteSource, graph: WireField): Graph {
  const fields = fieldsIn(source, graph);
  const all = (number: number) => fields.filter((field) => field.number === number);
  return {
    fields,
    nodes: all(inGraph.node).map((field) => readNode(source, field)),
    inputs: all(inGraph.input).flatMap((field) => textsOf(source, field, inValue.name)),
    outputs: all(inGraph.output).flatMap((field) => textsOf(source, field, inValue.name)),
  };
}

/** In one pass: a network of a photo's condition has near to a thousand nodes, which are read before its first photo. */
function readNode(source: ByteSource, field: WireField): GraphNode {
  const node: GraphNode = { field, operation: '', inputs: [], outputs: [] };
  for (const part of fieldsOf(source, field.at, field.at + field.value))
    if (part.number === inNode.input) node.inputs.push(textIn(source, part));
    else if (part.number === inNode.output) node.outputs.push(textIn(source, part));
    else if (part.number === inNode.operation) node.operation = textIn(source, part);
  return node;
}

/** Copies the graph's fields except nodes and value types. */
export const nonNodeFields = (source: ByteSource, { fields }: Graph): OutputPiece[] =>
  fields
    .filter(({ number }) => number !== inGraph.node && number !== inGraph.valueInfo)
    .flatMap((field) => copied(source, field));

/** Writes a node with other inputs. @param keeps whether another field of the node stays */
export function withInputs(
  source: ByteSource,
  { field }: GraphNode,
  inputs: readonly string[],
  keeps: (part: WireField) => boolean = () => true,
  more: readonly OutputPiece[] = [],
): OutputPiece[] {
  const rest = fieldsIn(source, field).filter(
    (part) => part.number !== inNode.input && keeps(part),
  );
  return bytesField(inGraph.node, [
    ...inputs.flatMap((name) => bytesField(inNode.input, name)),
    ...rest.flatMap((part) => copied(source, part)),
    ...more,
  ]);
}
