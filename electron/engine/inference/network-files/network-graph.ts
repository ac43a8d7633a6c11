/** Reads and writes the graph of an ONNX file, as far as rewriting it for a device needs. */
import {
  type ByteSource,
  copied,
  bytesField,
  fieldsOf,
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
const nameOfValue = 1;

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
  const pieces: OutputPiece[] = [];
  for (const field of fieldsOf(source, 0, source.size)) {
    if (field.number !== inModel.graph) pieces.push(...copied(source, field));
    else pieces.push(...bytesField(inModel.graph, rewrite(readGraph(source, field))));
  }
  return Buffer.concat(pieces.map((piece) => (piece instanceof Uint8Array ? piece : piece.read())));
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
    nodes: all(inGraph.node).map((field) => ({
      field,
      operation: textsOf(source, field, inNode.operation).join(),
      inputs: textsOf(source, field, inNode.input),
      outputs: textsOf(source, field, inNode.output),
    })),
    inputs: all(inGraph.input).flatMap((field) => textsOf(source, field, nameOfValue)),
    outputs: all(inGraph.output).flatMap((field) => textsOf(source, field, nameOfValue)),
  };
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
