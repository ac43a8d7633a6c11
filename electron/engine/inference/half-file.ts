/**
 * A network's file as one that computes in half precision, for devices that gain by it.
 *
 * The kernels of the networks that Enlarger brings are stored as 16-bit floats, which a cast makes 32-bit
 * ones when the file is loaded. Here their convolutions take them as they are, and so does what lies between
 * such convolutions; casts stand where half precision begins and ends. What the picture takes as its own path,
 * and what is computed of constants alone, stays in single precision, so a second file of the same weights
 * need not be kept. It says the same as `floating(…, half=True)` in models/training/graph.py.
 */
import { bytesInMemory, type ByteSource } from '../importing/byte-source.ts';
import { floatTypes } from '../importing/onnx/check-onnx.ts';
import { cast, copied } from '../importing/onnx/rewrite-onnx.ts';
import { bytesField, fieldsOf, textIn, type Piece, type WireField } from '../importing/protobuf.ts';

/** Field numbers of onnx.proto. */
const inModel = { graph: 7 };
const inGraph = { node: 1, initializer: 5, input: 11, output: 12, valueInfo: 13 };
const inNode = { input: 1, output: 2, operation: 4 };
const inTensor = { elementType: 2, name: 8 };
const nameOfValue = 1;

/** What may stand between two convolutions, and goes over to half precision with them. */
const between = ['Add', 'Relu'];

interface Node {
  field: WireField;
  operation: string;
  inputs: string[];
  outputs: string[];
}

interface Graph {
  fields: WireField[];
  nodes: Node[];
  halfConstants: Set<string>;
  inputs: string[];
  outputs: string[];
}

/** The file as it is where none of its kernels is stored so. Throws MODEL_REFUSED where it is no ONNX file. */
export function halfFile(file: Buffer): Buffer {
  const source = bytesInMemory(file);
  const pieces: Piece[] = [];
  for (const field of fieldsOf(source, 0, source.size)) {
    if (field.number !== inModel.graph) pieces.push(...copied(source, field));
    else pieces.push(...bytesField(inModel.graph, halfGraph(source, readGraph(source, field))));
  }
  return Buffer.concat(pieces.map((piece) => (piece instanceof Uint8Array ? piece : piece.read())));
}

const within = (source: ByteSource, { at, value }: WireField) => [
  ...fieldsOf(source, at, at + value),
];

function readGraph(source: ByteSource, graph: WireField): Graph {
  const fields = within(source, graph);
  const all = (number: number) => fields.filter((field) => field.number === number);
  const named = (field: WireField, number: number) =>
    within(source, field).filter((part) => part.number === number);
  const texts = (field: WireField, number: number) =>
    named(field, number).map((part) => textIn(source, part));
  return {
    fields,
    nodes: all(inGraph.node).map((field) => ({
      field,
      operation: texts(field, inNode.operation).join(),
      inputs: texts(field, inNode.input),
      outputs: texts(field, inNode.output),
    })),
    halfConstants: new Set(
      all(inGraph.initializer)
        .filter((field) => named(field, inTensor.elementType)[0]?.value === floatTypes.half)
        .flatMap((field) => texts(field, inTensor.name)),
    ),
    inputs: all(inGraph.input).flatMap((field) => texts(field, nameOfValue)),
    outputs: all(inGraph.output).flatMap((field) => texts(field, nameOfValue)),
  };
}

/** The graph's fields; nodes stand in the order in which they compute, so each knows what it is given. */
function halfGraph(source: ByteSource, graph: Graph): Piece[] {
  const ofPicture = new Set(graph.inputs);
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
  const goesOver = ({ operation, inputs, outputs }: Node): boolean => {
    if (outputs.some((name) => graph.outputs.includes(name))) return false;
    if (operation === 'Conv') return stored.has(inputs[1] ?? '');
    const given = inputs.filter((name) => ofPicture.has(name));
    return between.includes(operation) && given.every(isThereInHalf);
  };

  for (const node of graph.nodes) {
    const [first = ''] = node.inputs;
    const [output = ''] = node.outputs;
    if (node.operation === 'Cast' && graph.halfConstants.has(first)) stored.set(output, first);
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
  const others = graph.fields.filter(
    ({ number }) => number !== inGraph.node && number !== inGraph.valueInfo,
  );
  return [...nodes, ...others.flatMap((field) => copied(source, field))];
}

function withInputs(source: ByteSource, { field }: Node, inputs: readonly string[]): Piece[] {
  const rest = within(source, field).filter(({ number }) => number !== inNode.input);
  return bytesField(inGraph.node, [
    ...inputs.flatMap((name) => bytesField(inNode.input, name)),
    ...rest.flatMap((part) => copied(source, part)),
  ]);
}
