/**
 * Rewrites an ONNX file as a single file with 32-bit floats at its ends: external weights are embedded, and a
 * half-precision network gets a cast at either end. Everything else is copied.
 */
import { basename } from 'node:path';
import type { ByteSource } from './byte-source.ts';
import {
  bytesField,
  fieldsIn,
  fieldsOf,
  numberField,
  textIn,
  type OutputPiece,
  type WireField,
} from './protobuf.ts';
import { refused } from './refused.ts';
import { byteLengthOf } from './tensor.ts';
import type { PicturePorts } from './check-onnx.ts';
import { floatTypes, nodeField } from './encode-onnx.ts';
import {
  marksExternal,
  type ExternalData,
  type Initializer,
  type OnnxStructure,
} from './read-onnx.ts';

/** Files beside the network, by name. */
type SiblingFiles = ReadonlyMap<string, ByteSource>;

interface RewrittenNetwork {
  pieces: OutputPiece[];
  input: string;
  outputs: string[];
}

/** Whether the file can stay as it is. */
export const isSelfContained = (
  { initializers }: OnnxStructure,
  { isHalf, outputs }: PicturePorts,
) =>
  !isHalf &&
  outputs.every(({ elementType }) => elementType === floatTypes.single) &&
  initializers.every(({ external }) => external === undefined);

/** Rewrites the file. @throws EnlargerError MODEL_REFUSED if an external file is missing or too short */
export function rewriteOnnx(
  source: ByteSource,
  model: OnnxStructure,
  ports: PicturePorts,
  siblings: SiblingFiles,
): RewrittenNetwork {
  const byName = new Map(model.initializers.map((one) => [one.name, one]));
  const input = ports.isHalf ? `${ports.input.name}_32` : ports.input.name;
  const renamed = new Map(
    ports.outputs
      .filter(({ elementType }) => elementType === floatTypes.half)
      .map(({ name }) => [name, `${name}_32`]),
  );
  const graph: OutputPiece[] = [];
  if (ports.isHalf) graph.push(...cast(input, ports.input.name, floatTypes.half));
  const { at, length } = model.graph;
  for (const field of fieldsOf(source, at, at + length)) {
    const piece = copied(source, field);
    if (field.number === 5) graph.push(...initializer(source, field, byName, siblings, piece));
    else if (field.number === 11 && ports.isHalf)
      graph.push(...single(source, field, new Map([[ports.input.name, input]])));
    else if (field.number === 12) graph.push(...single(source, field, renamed));
    else graph.push(...piece);
  }
  for (const [from, to] of renamed) graph.push(...cast(from, to, floatTypes.single));
  const outputs = ports.outputs.map(({ name }) => renamed.get(name) ?? name);
  return { pieces: withGraph(source, graph), input, outputs };
}

/** Copies a file with another graph. */
export const withGraph = (source: ByteSource, graph: readonly OutputPiece[]): OutputPiece[] =>
  [...fieldsOf(source, 0, source.size)].flatMap((field) =>
    field.number === 7 ? bytesField(7, graph) : copied(source, field),
  );

/** Copies a field unchanged; its bytes are read only when they are written. */
export function copied(source: ByteSource, { number, kind, value, at }: WireField): OutputPiece[] {
  if (kind === 'number') return numberField(number, value);
  const streamed: OutputPiece = { byteLength: value, read: () => source.read(at, value) };
  if (kind === 'bytes') return bytesField(number, [streamed]);
  // One byte suffices for the tag: ONNX's few fields of fixed length have low numbers.
  return [Uint8Array.of(number * 8 + (kind === 'four' ? 5 : 1)), streamed];
}

/** Encodes a cast node. */
export const cast = (from: string, to: string, type: number): OutputPiece[] =>
  nodeField('Cast', [from], [to], { to: type });

/** Writes a value in `names` under its new name and as 32-bit floats; others are copied. */
function single(
  source: ByteSource,
  field: WireField,
  names: ReadonlyMap<string, string>,
): OutputPiece[] {
  const parts = [...fieldsIn(source, field)];
  const named = parts.find(({ number }) => number === 1);
  const renamed = named && names.get(textIn(source, named));
  if (renamed === undefined) return copied(source, field);
  const within = (of: WireField, change: Map<number, (part: WireField) => OutputPiece[]>) =>
    [...fieldsIn(source, of)].flatMap(
      (part) => change.get(part.number)?.(part) ?? copied(source, part),
    );
  const tensor = (part: WireField) =>
    bytesField(1, within(part, new Map([[1, () => numberField(1, floatTypes.single)]])));
  const type = (part: WireField) => bytesField(2, within(part, new Map([[1, tensor]])));
  const value = new Map([
    [1, () => bytesField(1, renamed)],
    [2, type],
  ]);
  return bytesField(field.number, within(field, value));
}

/** Embeds external weights; returns `asIs` for others. */
function initializer(
  source: ByteSource,
  field: WireField,
  byName: ReadonlyMap<string, Initializer>,
  siblings: SiblingFiles,
  asIs: OutputPiece[],
): OutputPiece[] {
  const parts = [...fieldsIn(source, field)];
  const named = parts.find(({ number }) => number === 8);
  const known = named && byName.get(textIn(source, named));
  if (!known?.external) {
    if (parts.some(marksExternal))
      throw refused('The network names weights twice, inside and in another file.');
    return asIs;
  }
  const kept = parts.filter(({ number }) => ![9, 13, 14].includes(number));
  const raw = externalPiece(known, known.external, siblings);
  return bytesField(5, [...kept.flatMap((part) => copied(source, part)), ...bytesField(9, [raw])]);
}

function externalPiece(
  known: Initializer,
  external: ExternalData,
  siblings: SiblingFiles,
): OutputPiece {
  const { location, offset } = external;
  const file = siblings.get(externalName(location));
  if (!file)
    throw refused(
      `The network's weights lie in a file of their own, ${location.slice(0, 80)}, which is missing. Bring both files together.`,
    );
  const type = elementTypes[known.elementType];
  const length = external.length ?? (type ? byteLengthOf(known.shape, type) : file.size - offset);
  if (!(offset >= 0 && length >= 0 && offset + length <= file.size))
    throw refused(
      `The file ${location.slice(0, 80)} is cut short or another one: weights are to end at ${offset + length}, it ends at ${file.size}.`,
    );
  return { byteLength: length, read: () => file.read(offset, length) };
}

const elementTypes = {
  1: 'float32',
  6: 'int32',
  7: 'int64',
  10: 'float16',
  11: 'float64',
  16: 'bfloat16',
} as Record<number, 'float32' | 'int32' | 'int64' | 'float16' | 'float64' | 'bfloat16' | undefined>;

/** Returns the name of a file beside the network. @throws EnlargerError MODEL_REFUSED for any other path */
export function externalName(location: string): string {
  const isBare =
    location !== '' && location === basename(location) && !/[\\/:\0]|^\.{1,2}$/.test(location);
  if (isBare) return location;
  throw refused(
    `The network asks for weights at ${JSON.stringify(location.slice(0, 80))}; only files right beside it are read.`,
  );
}
