/**
 * Reads what must be known of an ONNX file before it may run: its operations, its inputs and outputs, and the
 * positions of its weights, which are not read.
 */
import type { ByteSource } from './byte-source.ts';
import { fieldsIn, fieldsOf, numbersIn, textIn, type WireField } from './protobuf.ts';
import { refused } from './refused.ts';

export interface TensorInfo {
  name: string;
  elementType: number;
  /** Numbers are fixed dimensions, texts free ones; undefined: not declared. */
  shape: (number | string)[] | undefined;
}

export interface ExternalData {
  location: string;
  offset: number;
  length: number | undefined;
}

export interface Initializer {
  name: string;
  elementType: number;
  shape: number[];
  external: ExternalData | undefined;
  /** Length of the raw data; undefined: the values are stored in another way. */
  rawBytes: number | undefined;
}

/** Number of nodes per operation, subgraphs included; keys are `domain:Operation`. */
export type Operations = Map<string, number>;

export interface OnnxStructure {
  /** Version of the standard operations; 0: not declared. */
  opset: number;
  inputs: TensorInfo[];
  outputs: TensorInfo[];
  initializers: Initializer[];
  operations: Operations;
  /** Functions of the file, as `domain:name`, with the operations that each uses. */
  functions: Map<string, Operations>;
  /** Offset and length of the graph in bytes. */
  graph: { at: number; length: number };
}

/** Limit of nesting: attributes may hold graphs, which hold attributes. */
const maxDepth = 16;
const maxNodes = 200_000;

/** Reads the file's structure. @throws EnlargerError MODEL_REFUSED */
export function readOnnx(source: ByteSource): OnnxStructure {
  if (isText(source))
    throw refused(
      'This is not an ONNX file, but a text. A failed download often leaves a page under the name of the file. Get it again.',
    );
  const found: OnnxStructure = {
    opset: 0,
    inputs: [],
    outputs: [],
    initializers: [],
    operations: new Map(),
    functions: new Map(),
    graph: { at: 0, length: 0 },
  };
  for (const field of fieldsOf(source, 0, source.size)) {
    if (field.number === 7 && field.kind === 'bytes') {
      // onnxruntime's parser would merge a second one into the first.
      if (found.graph.length > 0) throw refused('This ONNX file has more than one graph.');
      found.graph = { at: field.at, length: field.value };
      readGraph(source, field, found);
    }
    if (field.number === 8) readOpset(source, field, found);
    if (field.number === 25) readFunction(source, field, found);
    if (field.number === 20) readTraining(source, field);
  }
  if (found.graph.length === 0)
    throw refused(
      'This is not an ONNX file: it has no graph. Bring a file that was exported as ONNX.',
    );
  return found;
}

const textSampleBytes = 256;

/** Whether a file begins as text: a network has small numbers everywhere, which no text has. */
function isText(source: ByteSource): boolean {
  const start = source.read(0, Math.min(source.size, textSampleBytes));
  return start.length > 0 && start.every((byte) => byte >= 32 || (byte >= 9 && byte <= 13));
}

function readOpset(source: ByteSource, field: WireField, found: OnnxStructure): void {
  let domain = '';
  let version = 0;
  for (const part of fieldsIn(source, field)) {
    if (part.number === 1) domain = textIn(source, part);
    if (part.number === 2) version = part.value;
  }
  if (domain === '' || domain === 'ai.onnx') found.opset = version;
}

function readFunction(source: ByteSource, field: WireField, found: OnnxStructure): void {
  let name = '';
  let domain = '';
  const operations: Operations = new Map();
  for (const part of fieldsIn(source, field)) {
    if (part.number === 1) name = textIn(source, part);
    if (part.number === 10) domain = textIn(source, part);
    if (part.number === 7) readNode(source, part, operations, 0);
    if (part.number === 11) readAttribute(source, part, operations, 0);
  }
  found.functions.set(`${domain}:${name}`, operations);
}

/** Training graphs are never run, but their weights are in the file as well. */
function readTraining(source: ByteSource, field: WireField): void {
  for (const part of fieldsIn(source, field))
    if (part.number === 1 || part.number === 2) readSubgraph(source, part, new Map(), 0);
}

function readGraph(source: ByteSource, field: WireField, found: OnnxStructure): void {
  for (const part of fieldsIn(source, field)) {
    if (part.number === 1) readNode(source, part, found.operations, 0);
    if (part.number === 15) assertSparseInside(source, part);
    if (part.number === 5) found.initializers.push(readInitializer(source, part));
    if (part.number === 11) found.inputs.push(readValue(source, part));
    if (part.number === 12) found.outputs.push(readValue(source, part));
  }
}

function readNode(
  source: ByteSource,
  field: WireField,
  operations: Operations,
  depth: number,
): void {
  let operation = '';
  let domain = '';
  for (const part of fieldsIn(source, field)) {
    if (part.number === 4) operation = textIn(source, part);
    if (part.number === 7) domain = textIn(source, part);
    if (part.number === 5) readAttribute(source, part, operations, depth);
  }
  const key = `${domain === 'ai.onnx' ? '' : domain}:${operation}`;
  const count = (operations.get(key) ?? 0) + 1;
  if (count > maxNodes) throw refused(`The network has more than ${maxNodes} nodes ${operation}.`);
  operations.set(key, count);
}

function readSubgraph(
  source: ByteSource,
  field: WireField,
  operations: Operations,
  depth: number,
): void {
  for (const part of fieldsIn(source, field)) {
    if (part.number === 1) readNode(source, part, operations, depth);
    if (part.number === 5) assertInside(source, part);
    if (part.number === 15) assertSparseInside(source, part);
  }
}

/** Reads the graphs and tensors in an attribute; everything else in it is skipped. */
function readAttribute(
  source: ByteSource,
  field: WireField,
  operations: Operations,
  depth: number,
): void {
  for (const part of fieldsIn(source, field)) {
    if (part.kind !== 'bytes') continue;
    if (part.number === 5 || part.number === 10) assertInside(source, part);
    if (part.number === 22 || part.number === 23) assertSparseInside(source, part);
    if (part.number !== 6 && part.number !== 11) continue;
    if (depth >= maxDepth) throw refused(`The network nests graphs more than ${maxDepth} deep.`);
    readSubgraph(source, part, operations, depth + 1);
  }
}

/**
 * Whether a field of a tensor marks its data as external. onnxruntime's parser keeps 32 bits of the number,
 * so every value but 0 counts.
 */
export const marksExternal = ({ number, kind, value }: WireField): boolean =>
  number === 14 && kind === 'number' && value !== 0;

/** Only weights of the graph itself may be external; the import embeds them. */
function assertInside(source: ByteSource, tensor: WireField): void {
  if (tensor.kind !== 'bytes') return;
  for (const part of fieldsIn(source, tensor))
    if (marksExternal(part))
      throw refused(
        'The network has data in another file at a place where none is used: in an attribute, a branch, a function or a sparse tensor. Export it with all data inside.',
      );
}

function assertSparseInside(source: ByteSource, sparse: WireField): void {
  if (sparse.kind !== 'bytes') return;
  for (const part of fieldsIn(source, sparse))
    if (part.number === 1 || part.number === 2) assertInside(source, part);
}

function readInitializer(source: ByteSource, field: WireField): Initializer {
  const found: Initializer = {
    name: '',
    elementType: 0,
    shape: [],
    external: undefined,
    rawBytes: undefined,
  };
  const entries = new Map<string, string>();
  let isExternal = false;
  for (const part of fieldsIn(source, field)) {
    if (part.number === 1) found.shape.push(...numbersIn(source, part));
    if (part.number === 2) found.elementType = part.value;
    if (part.number === 8) found.name = textIn(source, part);
    if (part.number === 9) found.rawBytes = part.value;
    if (part.number === 13) entries.set(...readEntry(source, part));
    if (part.number === 14) isExternal = marksExternal(part);
  }
  if (isExternal) found.external = externalOf(entries);
  return found;
}

function externalOf(entries: ReadonlyMap<string, string>): ExternalData {
  const number = (key: string) => {
    const text = entries.get(key);
    return text === undefined ? undefined : Number(text);
  };
  return {
    location: entries.get('location') ?? '',
    offset: number('offset') ?? 0,
    length: number('length'),
  };
}

function readEntry(source: ByteSource, field: WireField): [string, string] {
  let key = '';
  let value = '';
  for (const part of fieldsIn(source, field)) {
    if (part.number === 1) key = textIn(source, part);
    if (part.number === 2) value = textIn(source, part);
  }
  return [key, value];
}

function readValue(source: ByteSource, field: WireField): TensorInfo {
  const found: TensorInfo = { name: '', elementType: 0, shape: undefined };
  for (const part of fieldsIn(source, field)) {
    if (part.number === 1) found.name = textIn(source, part);
    if (part.number !== 2) continue;
    for (const type of fieldsIn(source, part)) {
      if (type.number !== 1) continue;
      for (const tensor of fieldsIn(source, type)) {
        if (tensor.number === 1) found.elementType = tensor.value;
        if (tensor.number === 2) found.shape = readShape(source, tensor);
      }
    }
  }
  return found;
}

function readShape(source: ByteSource, field: WireField): (number | string)[] {
  return [...fieldsIn(source, field)]
    .filter(({ number }) => number === 1)
    .map((side) => {
      let found: number | string = '?';
      for (const part of fieldsIn(source, side)) {
        if (part.number === 1) found = part.value;
        if (part.number === 2) found = textIn(source, part) || '?';
      }
      return found;
    });
}
