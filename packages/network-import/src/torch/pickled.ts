/** Values that a checkpoint's pickle may contain, and their construction from reduce arguments. */
import { refused, type ElementType } from '../../../onnx/src/index.ts';

/** A global (function or class) that the file names. Never called. */
export class GlobalName {
  readonly name: string;
  constructor(name: string) {
    this.name = name;
  }
}

/** The values that one or several tensors share. */
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

/** A tensor's view of its storage. Offset and strides count elements. */
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

export type PickleValue =
  | null
  | boolean
  | number
  | string
  | bigint
  | PickleValue[]
  | Map<PickleValue, PickleValue>
  | GlobalName
  | Storage
  | Tensor;

/** The only globals that a checkpoint may name. Each addition is allowed in every file. */
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

export function textOf(value: PickleValue): string {
  if (typeof value === 'string') return value;
  throw damaged('a name that is no text');
}

/** Signed little-endian integer of any length. */
export function parseLong(bytes: Buffer): number | bigint {
  let value = 0n;
  for (const [i, byte] of bytes.entries()) value |= BigInt(byte) << BigInt(8 * i);
  const signed = BigInt.asIntN(8 * bytes.length, value);
  return Number.isSafeInteger(Number(signed)) ? Number(signed) : signed;
}

export function dictionaryOf([pairs]: PickleValue[]): Map<PickleValue, PickleValue> {
  if (pairs === undefined) return new Map();
  if (!Array.isArray(pairs)) throw damaged('a dictionary of no pairs');
  return new Map(
    pairs.map((pair): [PickleValue, PickleValue] => {
      if (!Array.isArray(pair) || pair.length !== 2) throw damaged('a dictionary of no pairs');
      return [pair[0] as PickleValue, pair[1] as PickleValue];
    }),
  );
}

/** Parses a persistent id: the tuple ('storage', type, key, device, element count). */
export function storageOf(id: PickleValue): Storage {
  const [kind, named, key, , elements] = Array.isArray(id) ? id : [];
  const type = named instanceof GlobalName ? storages.get(named.name) : undefined;
  if (kind !== 'storage' || !type || typeof key !== 'string' || typeof elements !== 'number')
    throw damaged('a reference to what is no tensor');
  return new Storage(type, key, elements);
}

export function tensorOf([storage, offset, shape, strides]: PickleValue[]): Tensor {
  if (!(storage instanceof Storage) || typeof offset !== 'number')
    throw damaged('a tensor without numbers');
  return new Tensor(storage, offset, sizesOf(shape), sizesOf(strides));
}

function sizesOf(list: PickleValue | undefined): number[] {
  const isWhole = (value: PickleValue): value is number =>
    typeof value === 'number' && Number.isInteger(value) && value >= 0;
  if (Array.isArray(list) && list.length <= 8 && list.every(isWhole)) return list;
  throw damaged('a tensor without a shape');
}
