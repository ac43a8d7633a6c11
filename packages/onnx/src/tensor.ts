/** Weights of a file: a shape, and values that are read only when they are written. */
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

export interface WeightTensor {
  shape: readonly number[];
  /** Reads all values as 32-bit floats, row-major. */
  floats(): Float32Array;
}

/** Limit of a tensor's values. */
const maxElements = 2 ** 30;

/** Number of values of a shape. @throws EnlargerError MODEL_REFUSED for an impossible shape */
export function countOf(shape: readonly number[]): number {
  let count = 1;
  for (const side of shape) {
    if (!Number.isInteger(side) || side < 0) throw impossible(shape);
    count *= side;
    if (count > maxElements) throw impossible(shape);
  }
  return count;
}

const impossible = (shape: readonly number[]) =>
  refused(
    `The file is damaged or hostile: a tensor is said to be ${shape.slice(0, 8).join(' x ')}.`,
  );

export const byteLengthOf = (shape: readonly number[], type: ElementType) =>
  countOf(shape) * bytesOf[type];

/** Converts little-endian bytes of any element type to 32-bit floats. */
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

/** Decodes an IEEE 754 binary16 number. */
function halfToFloat(bits: number): number {
  const sign = bits >= 0x8000 ? -1 : 1;
  const exponent = (bits >> 10) & 31;
  const fraction = bits & 1023;
  if (exponent === 31) return fraction === 0 ? sign * Infinity : NaN;
  if (exponent === 0) return sign * fraction * 2 ** -24;
  return sign * (1 + fraction / 1024) * 2 ** (exponent - 15);
}

const brain = new DataView(new ArrayBuffer(4));

/** Decodes a bfloat16 number, the upper half of a 32-bit float. */
function brainToFloat(bits: number): number {
  brain.setUint16(0, bits);
  return brain.getFloat32(0);
}

/** Weights with values that are not from a file. */
export const createWeights = (
  shape: readonly number[],
  values: ArrayLike<number>,
): WeightTensor => ({
  shape,
  floats: () => Float32Array.from(values),
});
