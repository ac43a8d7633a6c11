/**
 * Encodes parts of an ONNX graph as protobuf. Field numbers:
 * https://github.com/onnx/onnx/blob/main/onnx/onnx.proto.
 */
import { bytesField, floatField, numberField, type OutputPiece } from './protobuf.ts';

/** ONNX element types in which networks take pictures: float32, float16. */
export const floatTypes = { single: 1, half: 10 };
/** ONNX element types int64 and bool. */
export const integerType = 7;
export const truthType = 9;

type Attribute = number | string | number[] | { float: number };
export type Attributes = Record<string, Attribute>;

/** Encodes a node of the graph. */
export const nodeField = (
  operation: string,
  inputs: readonly string[],
  outputs: readonly string[],
  attributes: Attributes = {},
): OutputPiece[] =>
  bytesField(1, [
    ...inputs.flatMap((input) => bytesField(1, input)),
    ...outputs.flatMap((output) => bytesField(2, output)),
    ...bytesField(4, operation),
    ...Object.entries(attributes).flatMap(([key, value]) => bytesField(5, attribute(key, value))),
  ]);

const kind = { float: 1, integer: 2, text: 3, integers: 7 };

function attribute(name: string, value: Attribute): OutputPiece[] {
  const named = bytesField(1, name);
  if (typeof value === 'number')
    return [...named, ...numberField(3, value), ...numberField(20, kind.integer)];
  if (typeof value === 'string')
    return [...named, ...bytesField(4, value), ...numberField(20, kind.text)];
  if (Array.isArray(value)) {
    const all = value.flatMap((one) => numberField(8, one));
    return [...named, ...all, ...numberField(20, kind.integers)];
  }
  return [...named, ...floatField(2, value.float), ...numberField(20, kind.float)];
}

/** Encodes an initializer of 32-bit floats. */
export const floatsField = (
  name: string,
  shape: readonly number[],
  raw: OutputPiece,
): OutputPiece[] => initializerField(name, shape, floatTypes.single, raw);

/** Encodes an initializer of integers. */
export const integersField = (name: string, values: readonly number[]): OutputPiece[] =>
  initializerField(
    name,
    [values.length],
    integerType,
    new Uint8Array(BigInt64Array.from(values, BigInt).buffer),
  );

const initializerField = (name: string, shape: readonly number[], type: number, raw: OutputPiece) =>
  bytesField(5, [
    ...shape.flatMap((side) => numberField(1, side)),
    ...numberField(2, type),
    ...bytesField(8, name),
    ...bytesField(9, [raw]),
  ]);

export const bytesOfFloats = (values: Float32Array): Uint8Array =>
  new Uint8Array(values.buffer, values.byteOffset, values.byteLength);

type DimensionList = readonly (string | number)[];

/** Encodes the graph's input and output: 32-bit floats of these shapes, with text for free dimensions. */
export const inputField = (name: string, sides: DimensionList): OutputPiece[] =>
  bytesField(11, valueInfo(name, sides));
export const outputField = (name: string, sides: DimensionList): OutputPiece[] =>
  bytesField(12, valueInfo(name, sides));

function valueInfo(name: string, sides: DimensionList): OutputPiece[] {
  const dims = sides.flatMap((side) =>
    bytesField(1, typeof side === 'number' ? numberField(1, side) : bytesField(2, side)),
  );
  const tensor = [...numberField(1, floatTypes.single), ...bytesField(2, dims)];
  return [...bytesField(1, name), ...bytesField(2, bytesField(1, tensor))];
}
