/** Reads PyTorch checkpoints: the zip format of 2020 and later, and the legacy container. */
import {
  type ByteSource,
  refused,
  byteLengthOf,
  countOf,
  toFloats,
  type WeightTensor,
} from '../../../onnx/src/index.ts';
import { readPickle } from './pickle.ts';
import { GlobalName, Tensor, type PickleValue, type Storage } from './pickled.ts';
import { isZip, readZip, type CheckpointEntry } from './zip.ts';

export type NamedWeights = Map<string, WeightTensor>;

type FindStorage = (key: string) => CheckpointEntry | undefined;

/** Reads the weights' names and shapes; values are read on demand. @throws MODEL_REFUSED */
export function readCheckpoint(source: ByteSource): NamedWeights {
  return isZip(source) ? fromZip(source) : fromContainer(source);
}

function fromZip(source: ByteSource): NamedWeights {
  const entries = readZip(source);
  const name = [...entries.keys()].find((one) => /(^|\/)data\.pkl$/.test(one));
  const pickle = name === undefined ? undefined : entries.get(name);
  if (name === undefined || !pickle)
    throw refused(
      'The zip file has no data.pkl: it was not saved by PyTorch, or is a compiled program (TorchScript). Bring the weights.',
    );
  if ([...entries.keys()].some((one) => /(^|\/)code\/|constants\.pkl$/.test(one)))
    throw refused(
      'The file is a compiled program (TorchScript), not weights. Bring the weights (torch.save of a state_dict) or ONNX.',
    );
  const folder = name.slice(0, -'data.pkl'.length);
  const { value } = readPickle(source, pickle.at, pickle.at + pickle.length);
  return weightsIn(value, source, (key) => entries.get(`${folder}data/${key}`));
}

const magic = 0x1950a86a20f9469cfc6cn;
const protocol = 1001;

/** Legacy container: five pickles, then the storages in the order of the last pickle's keys. */
function fromContainer(source: ByteSource): NamedWeights {
  const first = source.size > 0 ? readFirst(source) : undefined;
  if (first?.value !== magic)
    throw refused(
      'The file was not saved by PyTorch, or by a version before 2017. Bring the weights as torch.save writes them, as .safetensors or as ONNX.',
    );
  const version = readPickle(source, first.end);
  if (version.value !== protocol)
    throw refused('The file was saved by a version of PyTorch that is not known.');
  const system = readPickle(source, version.end);
  const content = readPickle(source, system.end);
  const keys = readPickle(source, content.end);
  const sizes = storagesIn(content.value);
  const entries = new Map<string, CheckpointEntry>();
  let at = keys.end;
  for (const key of Array.isArray(keys.value) ? keys.value : []) {
    const storage = typeof key === 'string' ? sizes.get(key) : undefined;
    const elements = Number(source.read(at, 8).readBigInt64LE());
    at += 8;
    if (!storage) throw refused('The file is damaged: it stores weights that it does not name.');
    const length = byteLengthOf([elements], storage.type);
    entries.set(storage.key, { at, length });
    at += length;
  }
  return weightsIn(content.value, source, (key) => entries.get(key));
}

/** Reads the first pickle. Undefined if the file cannot be a pickle. */
function readFirst(source: ByteSource) {
  try {
    return source.read(0, 1).readUInt8() === 0x80 ? readPickle(source) : undefined;
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

function storagesIn(value: PickleValue, found = new Map<string, Storage>(), depth = 0) {
  if (value instanceof Tensor) found.set(value.storage.key, value.storage);
  if (depth > maxDepth) return found;
  if (value instanceof Map) for (const inner of value.values()) storagesIn(inner, found, depth + 1);
  if (Array.isArray(value)) for (const inner of value) storagesIn(inner, found, depth + 1);
  return found;
}

const maxDepth = 6;

/** Keys under which training programs nest the weights; the first one present is used. */
const wrappers = [
  'model_state_dict',
  'state_dict',
  'params_ema',
  'params-ema',
  'params',
  'model',
  'net',
];

function weightsIn(value: PickleValue, source: ByteSource, find: FindStorage): NamedWeights {
  const found: NamedWeights = new Map();
  for (const [name, tensor] of unwrap(value))
    if (typeof name === 'string' && tensor instanceof Tensor)
      found.set(plainName(name), weightsOf(tensor, source, find));
  if (found.size === 0)
    throw refused('The file holds no weights. Bring a state_dict, as torch.save writes it.');
  return found;
}

function unwrap(value: PickleValue, depth = 0): Map<PickleValue, PickleValue> {
  if (!(value instanceof Map)) {
    const what = value instanceof GlobalName ? value.name : typeof value;
    throw refused(`The file holds ${what.slice(0, 40)} where a dictionary of weights is expected.`);
  }
  const inner = wrappers.map((name) => value.get(name)).find((one) => one instanceof Map);
  return inner instanceof Map && depth < maxDepth ? unwrap(inner, depth + 1) : value;
}

export const plainName = (name: string) => name.replace(/^(module\.|netG\.)+/, '');

function weightsOf(
  { storage, offset, shape, strides }: Tensor,
  source: ByteSource,
  find: FindStorage,
): WeightTensor {
  const { type, key } = storage;
  const size = byteLengthOf([1], type);
  const count = countOf(shape);
  if (strides.length !== shape.length)
    throw refused('The file is damaged: a tensor has a shape without strides.');
  // Offset of the tensor's last element plus 1, relative to its own offset.
  const span = shape.reduce((sum, side, i) => sum + (side - 1) * (strides[i] as number), 1);
  const used = count === 0 ? 0 : span;
  if (offset + used > storage.elements || used > 4 * count + 1024)
    throw refused('The file is damaged: a tensor reaches beyond its numbers.');
  const entry = find(key);
  if (!entry) throw refused(`The file is damaged: the weights ${key.slice(0, 40)} are missing.`);
  if ((offset + used) * size > entry.length)
    throw refused('The file is cut short: a tensor reaches beyond its numbers. Get it again.');
  return {
    shape,
    floats() {
      const values = toFloats(source.read(entry.at + offset * size, used * size), type);
      return isContiguous(shape, strides) ? values : toContiguous(values, shape, strides);
    },
  };
}

function isContiguous(shape: readonly number[], strides: readonly number[]): boolean {
  let step = 1;
  for (let i = shape.length - 1; i >= 0; i -= 1) {
    if ((shape[i] as number) > 1 && strides[i] !== step) return false;
    step *= shape[i] as number;
  }
  return true;
}

/** Puts values that lie in another order, such as channels_last, into the order of the shape. */
function toContiguous(values: Float32Array, shape: readonly number[], strides: readonly number[]) {
  const result = new Float32Array(countOf(shape));
  const index = shape.map(() => 0);
  for (let i = 0; i < result.length; i += 1) {
    result[i] = values[
      index.reduce((at, one, d) => at + one * (strides[d] as number), 0)
    ] as number;
    for (let d = shape.length - 1; d >= 0; d -= 1) {
      index[d] = (index[d] as number) + 1;
      if ((index[d] as number) < (shape[d] as number)) break;
      index[d] = 0;
    }
  }
  return result;
}
