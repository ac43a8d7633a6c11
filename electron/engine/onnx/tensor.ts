/** Weights as a file has them: a shape, and values that are read only when they are written. */
import { refused } from './refused.ts';

export type ElementType = 'float32' | 'float16' | 'bfloat16' | 'float64' | 'int64' | 'int32';

const bytesOf: Record<ElementType, number> = {
  float32: 4,
  float16: 2,
  bfloat16: 2,
  float64: 8,
  int64: 8,
  int32: 4,
};

export interface Weights {
  shape: readonly number[];
  /** Reads all values as 32-bit floats; the last dimension is the fastest. */
  floats(): Float32Array;
}

/** No tensor of a network that enlarges has more values than this: 2^30, about a billion. */
const mostElements = 2 ** 30;

/** Counts the values of a shape. It throws MODEL_REFUSED for an impossible shape. */
export function countOf(shape: readonly number[]): number {
  let count = 1;
  for (const side of shape) {
    if (!Number.isInteger(side) || side < 0) throw impossible(shape);
    count *= side;
    if (count > mostElements) throw impossible(shape);
  }
  return count;
}

const impossible = (shape: readonly number[]) =>
  refused(
    `The file is damaged or hostile: a tensor is said to be ${shape.slice(0, 8).join(' x ')}.`,
  );

export const byteLengthOf = (shape: readonly number[], type: ElementType) =>
  countOf(shape) * bytesOf[type];

/** Turns little-endian bytes of any element type into 32-bit floats. */
export function toFloats(bytes: Buffer, type: ElementType): Float32Array {
  const count = Math.floor(bytes.length / bytesOf[type]);
  const floats = new Float32Array(count);
  if (type === 'float32') {
    new Uint8Array(floats.buffer).set(bytes.subarray(0, count * 4));
    return floats;
  }
  const read = readers[type];
  for (let i = 0; i < count; i += 1) floats[i] = read(bytes, i);
  return floats;
}

const readers: Record<Exclude<ElementType, 'float32'>, (bytes: Buffer, i: number) => number> = {
  float16: (bytes, i) => halfToFloat(bytes.readUInt16LE(i * 2)),
  bfloat16: (bytes, i) => brainToFloat(bytes.readUInt16LE(i * 2)),
  float64: (bytes, i) => bytes.readDoubleLE(i * 8),
  int64: (bytes, i) => Number(bytes.readBigInt64LE(i * 8)),
  int32: (bytes, i) => bytes.readInt32LE(i * 4),
};

/** Reads an IEEE 754 binary16 number. */
function halfToFloat(bits: number): number {
  const sign = bits >= 0x8000 ? -1 : 1;
  const exponent = (bits >> 10) & 31;
  const fraction = bits & 1023;
  if (exponent === 31) return fraction === 0 ? sign * Infinity : NaN;
  if (exponent === 0) return sign * fraction * 2 ** -24;
  return sign * (1 + fraction / 1024) * 2 ** (exponent - 15);
}

const brain = new DataView(new ArrayBuffer(4));

/** Reads a bfloat16 number, which is the upper half of a 32-bit float. */
function brainToFloat(bits: number): number {
  brain.setUint16(0, bits);
  return brain.getFloat32(0);
}

/** Makes weights of values that do not come from a file. */
export const madeWeights = (shape: readonly number[], values: ArrayLike<number>): Weights => ({
  shape,
  floats: () => Float32Array.from(values),
});
