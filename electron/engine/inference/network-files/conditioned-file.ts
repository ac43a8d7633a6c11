/**
 * A network's file with what is known of a photo written into it.
 *
 * The file has a constant for it, zeros of 32-bit floats. As a constant, onnxruntime folds all that
 * follows from it while it loads the file; as an input of the graph it would make each convolution
 * whose bias depends on it twice as slow.
 */

/** Field numbers of ONNX's TensorProto, with the wire type of bytes: name is 8, raw_data is 9. */
const nameTag = 0x42;
const rawDataTag = 0x4a;
const floatBytes = 4;

/**
 * Values that are nearer than this are told alike, so that photos from one camera share a loaded
 * network: one point of JPEG quality, or a quarter of a level of noise.
 */
const step = 1 / 60;

export const roundedCondition = (values: readonly number[]): number[] =>
  values.map((value) => Math.round(value / step) * step);

/**
 * The file's bytes (changed in place) with `values` as its constant `name`. Names are shorter than 128
 * bytes, values fewer than 32. Throws where the file has no such constant, or more than one.
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
