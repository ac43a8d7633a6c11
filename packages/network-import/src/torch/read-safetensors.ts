/**
 * Reader of .safetensors files: length of the header, JSON header, values.
 * https://huggingface.co/docs/safetensors
 */
import {
  type ByteSource,
  refused,
  byteLengthOf,
  toFloats,
  type ElementType,
} from '../../../onnx/src/index.ts';
import { plainName, type NamedWeights } from './read-checkpoint.ts';

const types: Record<string, ElementType | undefined> = {
  F32: 'float32',
  F16: 'float16',
  BF16: 'bfloat16',
  F64: 'float64',
  I64: 'int64',
  I32: 'int32',
};

/**
 * Limit of the header. The format allows 100 MB, but parsed JSON takes many times its size in memory and
 * networks
 * need far less.
 */
const maxHeaderBytes = 16 * 1024 * 1024;

/** Reads the weights' names and shapes; values are read on demand. @throws MODEL_REFUSED */
export function readSafetensors(source: ByteSource): NamedWeights {
  const length = source.size < 8 ? -1 : Number(source.read(0, 8).readBigUInt64LE());
  if (!(length > 1 && length <= maxHeaderBytes && 8 + length <= source.size))
    throw refused('This is not a .safetensors file, or it is cut short: its head has no length.');
  const found: NamedWeights = new Map();
  for (const [name, entry] of Object.entries(
    parseHeader(source.read(8, length).toString('utf8')),
  )) {
    if (name === '__metadata__') continue;
    const { type, shape, from, to } = entryOf(name, entry);
    if (byteLengthOf(shape, type) !== to - from || from < 0 || 8 + length + to > source.size)
      throw refused(`The file is damaged: the weights ${name.slice(0, 60)} are not where it says.`);
    const at = 8 + length + from;
    found.set(plainName(name), { shape, floats: () => toFloats(source.read(at, to - from), type) });
  }
  if (found.size === 0) throw refused('The file holds no weights.');
  return found;
}

function parseHeader(text: string): Record<string, unknown> {
  try {
    const found: unknown = JSON.parse(text);
    if (typeof found === 'object' && found !== null && !Array.isArray(found))
      return found as Record<string, unknown>;
  } catch {
    // Refused below with the same message.
  }
  throw refused('This is not a .safetensors file: its head is not JSON.');
}

function entryOf(name: string, entry: unknown) {
  const { dtype, shape, data_offsets: offsets } = (entry ?? {}) as Record<string, unknown>;
  const type = typeof dtype === 'string' ? types[dtype] : undefined;
  const isWholes = (list: unknown): list is number[] =>
    Array.isArray(list) && list.every((one) => Number.isSafeInteger(one) && (one as number) >= 0);
  if (type === undefined || !isWholes(shape) || !isWholes(offsets) || offsets.length !== 2)
    throw refused(
      `The weights ${name.slice(0, 60)} are of type ${String(dtype).slice(0, 20)}, or damaged; ${Object.keys(types).join(', ')} are read.`,
    );
  const [from = 0, to = 0] = offsets;
  return { type, shape, from, to };
}
