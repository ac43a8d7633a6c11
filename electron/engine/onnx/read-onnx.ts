/**
 * Reads of an ONNX file what must be known before it may run: its operations, what it takes and gives, and
 * where its weights lie. The weights themselves are not read.
 */
import type { ByteSource } from './byte-source.ts';
import { fieldsIn, fieldsOf, numbersIn, textIn, type WireField } from './protobuf.ts';
import { refused } from './refused.ts';

export interface Value {
  name: string;
  elementType: number;
  /** A number is a fixed side, a text a free one. The file may name no shape. */
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
  /** The length of the raw data; undefined where the values are stored in another way. */
  rawBytes: number | undefined;
}

/** The number of nodes of each operation, subgraphs included; a key is `domain:Operation`. */
export type Operations = Map<string, number>;

export interface ReadOnnx {
  /** The version of the standard's operations; 0 where the file names none. */
  opset: number;
  inputs: Value[];
  outputs: Value[];
  initializers: Initializer[];
  operations: Operations;
  /** The functions that the file brings, as `domain:name`, and the operations that each uses. */
  functions: Map<string, Operations>;
  /** The graph's position and length in the file, in bytes. */
  graph: { at: number; length: number };
}

/** Attributes may hold graphs, which hold attributes; they may be nested this deep. */
const deepest = 16;
const mostNodes = 200_000;

/** Reads the file's structure. It throws MODEL_REFUSED. */
export function readOnnx(source: ByteSource): ReadOnnx {
  const found: ReadOnnx = {
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
      found.graph = { at: field.at, length: field.value };
      readGraph(source, field, found, 0);
    }
    if (field.number === 8) readOpset(source, field, found);
    if (field.number === 25) readFunction(source, field, found);
  }
  if (found.graph.length === 0)
    throw refused(
      'This is not an ONNX file: it has no graph. Bring a file that was exported as ONNX.',
    );
  return found;
}

function readOpset(source: ByteSource, field: WireField, found: ReadOnnx): void {
  let domain = '';
  let version = 0;
  for (const part of fieldsIn(source, field)) {
    if (part.number === 1) domain = textIn(source, part);
    if (part.number === 2) version = part.value;
  }
  if (domain === '' || domain === 'ai.onnx') found.opset = version;
}

function readFunction(source: ByteSource, field: WireField, found: ReadOnnx): void {
  let name = '';
  let domain = '';
  const operations: Operations = new Map();
  for (const part of fieldsIn(source, field)) {
    if (part.number === 1) name = textIn(source, part);
    if (part.number === 10) domain = textIn(source, part);
    if (part.number === 7) readNode(source, part, operations, 0);
  }
  found.functions.set(`${domain}:${name}`, operations);
}

function readGraph(source: ByteSource, field: WireField, found: ReadOnnx, depth: number): void {
  for (const part of fieldsIn(source, field)) {
    if (part.number === 1) readNode(source, part, found.operations, depth);
    if (depth > 0) continue;
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
  if (count > mostNodes)
    throw refused(`The network has more than ${mostNodes} nodes ${operation}.`);
  operations.set(key, count);
}

/** Reads the graphs in an attribute, because they hold more nodes; everything else in it is skipped. */
function readAttribute(
  source: ByteSource,
  field: WireField,
  operations: Operations,
  depth: number,
): void {
  for (const part of fieldsIn(source, field)) {
    if (part.kind !== 'bytes' || (part.number !== 6 && part.number !== 11)) continue;
    if (depth >= deepest) throw refused(`The network nests graphs more than ${deepest} deep.`);
    for (const inner of fieldsIn(source, part))
      if (inner.number === 1) readNode(source, inner, operations, depth + 1);
  }
}

function readInitializer(source: ByteSource, field: WireField): Initializer {
  const found: Initializer = {
    name: '',
    elementType: 0,
    shape: [],
    external: undefined,
    rawBytes: undefined,
  };
  const said = new Map<string, string>();
  let isExternal = false;
  for (const part of fieldsIn(source, field)) {
    if (part.number === 1) found.shape.push(...numbersIn(source, part));
    if (part.number === 2) found.elementType = part.value;
    if (part.number === 8) found.name = textIn(source, part);
    if (part.number === 9) found.rawBytes = part.value;
    if (part.number === 13) said.set(...readEntry(source, part));
    if (part.number === 14) isExternal = part.value === 1;
  }
  if (isExternal) found.external = externalOf(said);
  return found;
}

function externalOf(said: ReadonlyMap<string, string>): ExternalData {
  const number = (key: string) => {
    const text = said.get(key);
    return text === undefined ? undefined : Number(text);
  };
  return {
    location: said.get('location') ?? '',
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

function readValue(source: ByteSource, field: WireField): Value {
  const found: Value = { name: '', elementType: 0, shape: undefined };
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
