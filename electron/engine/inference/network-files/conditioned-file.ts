/**
 * Writes a condition (the measured damage of a photo) into a network's file.
 *
 * The file holds the condition as a constant of zeros, in 32-bit floats. onnxruntime folds everything that
 * follows from a constant while loading; as an input of the graph, the condition would make each convolution
 * whose bias depends on it twice as slow.
 */

/** Tags of ONNX's TensorProto: field number (name 8, raw_data 9) with the wire type of bytes. */
const nameTag = 0x42;
const rawDataTag = 0x4a;
const floatBytes = 4;

/**
 * Conditions are rounded to this step (one point of JPEG quality, or a quarter of a level of noise), so that
 * photos from one camera share a loaded network.
 */
const step = 1 / 60;

export const roundedCondition = (values: readonly number[]): number[] =>
  values.map((value) => Math.round(value / step) * step);

/**
 * Writes `values` into the file's constant `name`, in place.
 *
 * @param name shorter than 128 bytes
 * @param values fewer than 32
 * @returns the same buffer
 * @throws if the file has not exactly one such constant
 */
export function conditionedFile(file: Buffer, name: string, values: readonly number[]): Buffer {
  const named = Buffer.from(name);
  const head = Buffer.from([
    nameTag,
    named.length,
    ...named,
    rawDataTag,
    values.length * floatBytes,
  ]);
  const at = file.indexOf(head);
  if (at < 0 || file.includes(head, at + 1)) {
    throw new Error(
      `it was to have one constant ${name} of ${values.length} values, and has ${at < 0 ? 'none' : 'several'}`,
    );
  }
  values.forEach((value, i) => file.writeFloatLE(value, at + head.length + i * floatBytes));
  return file;
}
