/** The values that a checkpoint's pickle may hold, and how they are made of what Python would be given. */
import { refused } from '../../../../electron/engine/onnx/refused.ts';
import type { ElementType } from '../../../../electron/engine/onnx/tensor.ts';

/** A function or class that the file names; it is never called. */
export class Named {
  readonly name: string;
  constructor(name: string) {
    this.name = name;
  }
}

/** A storage holds the numbers of one or several tensors. */
export class Storage {
  readonly type: ElementType;
  readonly key: string;
  readonly elements: number;
  constructor(type: ElementType, key: string, elements: number) {
    this.type = type;
    this.key = key;
    this.elements = elements;
  }
}

/** A tensor as the file describes it: offset and strides count elements of its storage. */
export class Tensor {
  readonly storage: Storage;
  readonly offset: number;
  readonly shape: number[];
  readonly strides: number[];
  constructor(storage: Storage, offset: number, shape: number[], strides: number[]) {
    this.storage = storage;
    this.offset = offset;
    this.shape = shape;
    this.strides = strides;
  }
}

export type Pickled =
  | null
  | boolean
  | number
  | string
  | bigint
  | Pickled[]
  | Map<Pickled, Pickled>
  | Named
  | Storage
  | Tensor;

/** A checkpoint may name these and nothing else, so a name that is added here is allowed in every file. */
export const dictionaries = ['collections.OrderedDict', 'typing.OrderedDict'];
export const rebuildTensor = 'torch._utils._rebuild_tensor_v2';
const storages = new Map<string, ElementType>([
  ['torch.BFloat16Storage', 'bfloat16'],
  ['torch.FloatStorage', 'float32'],
  ['torch.HalfStorage', 'float16'],
  ['torch.IntStorage', 'int32'],
  ['torch.LongStorage', 'int64'],
  ['torch.DoubleStorage', 'float64'],
]);
export const allowed = [...dictionaries, rebuildTensor, ...storages.keys()];

export const damaged = (what: string) =>
  refused(`The checkpoint is damaged, or not one of weights: it has ${what}.`);

export function textOf(value: Pickled): string {
  if (typeof value === 'string') return value;
  throw damaged('a name that is no text');
}

/** Reads a signed little-endian integer of any length. */
export function longOf(bytes: Buffer): number | bigint {
  let value = 0n;
  for (const [i, byte] of bytes.entries()) value |= BigInt(byte) << BigInt(8 * i);
  const signed = BigInt.asIntN(8 * bytes.length, value);
  return Number.isSafeInteger(Number(signed)) ? Number(signed) : signed;
}

export function dictionaryOf([pairs]: Pickled[]): Map<Pickled, Pickled> {
  if (pairs === undefined) return new Map();
  if (!Array.isArray(pairs)) throw damaged('a dictionary of no pairs');
  return new Map(
    pairs.map((pair): [Pickled, Pickled] => {
      if (!Array.isArray(pair) || pair.length !== 2) throw damaged('a dictionary of no pairs');
      return [pair[0] as Pickled, pair[1] as Pickled];
    }),
  );
}

/** Reads a persistent id: the tuple ('storage', type, key, device, elements). */
export function storageOf(said: Pickled): Storage {
  const [kind, named, key, , elements] = Array.isArray(said) ? said : [];
  const type = named instanceof Named ? storages.get(named.name) : undefined;
  if (kind !== 'storage' || !type || typeof key !== 'string' || typeof elements !== 'number')
    throw damaged('a reference to what is no tensor');
  return new Storage(type, key, elements);
}

export function tensorOf([storage, offset, shape, strides]: Pickled[]): Tensor {
  if (!(storage instanceof Storage) || typeof offset !== 'number')
    throw damaged('a tensor without numbers');
  return new Tensor(storage, offset, wholes(shape), wholes(strides));
}

function wholes(list: Pickled | undefined): number[] {
  const isWhole = (value: Pickled): value is number =>
    typeof value === 'number' && Number.isInteger(value) && value >= 0;
  if (Array.isArray(list) && list.length <= 8 && list.every(isWhole)) return list;
  throw damaged('a tensor without a shape');
}
