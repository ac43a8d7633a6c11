/**
 * Writes the condition, which is what is known of a photo's damage, into a network's file.
 *
 * The file has a constant for the condition, 32-bit floats that are zero. onnxruntime folds everything that
 * follows from a constant while it loads the file; as an input of the graph the condition would make each
 * convolution whose bias depends on it twice as slow.
 */

/** Tags of ONNX's TensorProto: the field numbers (name is 8, raw_data is 9) with the wire type of bytes. */
const nameTag = 0x42;
const rawDataTag = 0x4a;
const floatBytes = 4;

/**
 * Conditions are rounded to this step, which is one point of JPEG quality or a quarter of a level of noise,
 * so that photos from one camera share a loaded network.
 */
const step = 1 / 60;

export const roundedCondition = (values: readonly number[]): number[] =>
  values.map((value) => Math.round(value / step) * step);

/**
 * Writes `values` into the file's constant `name`, in place, and gives the same buffer. A name is shorter
 * than 128 bytes, and there are fewer than 32 values. It throws where the file has no such constant, or more
 * than one.
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
