/** Reader of ncnn's .bin files: consecutive weights, each aligned to 4 bytes. */
import {
  type ByteSource,
  refused,
  byteLengthOf,
  toFloats,
  type WeightTensor,
} from '../../../onnx/src/index.ts';

export interface BinReader {
  /**
   * Next weights, preceded by a 4-byte flag of their storage type: 32- or 16-bit floats.
   *
   * @throws MODEL_REFUSED for other types and at the end of the file.
   */
  flagged(shape: readonly number[]): WeightTensor;
  /** Next weights, stored as 32-bit floats without a flag. @throws MODEL_REFUSED at the end of the file. */
  plain(shape: readonly number[]): WeightTensor;
  /** @throws MODEL_REFUSED if bytes are left over: then the .bin and .param files do not belong together. */
  assertEnd(): void;
}

const halfFlag = 0x01306b47;
const integerFlag = 0x000d4b38;

export function createBinReader(source: ByteSource): BinReader {
  let at = 0;
  const take = (shape: readonly number[], type: 'float32' | 'float16'): WeightTensor => {
    const length = byteLengthOf(shape, type);
    const from = at;
    if (from + length > source.size) throw tooShort(source.size);
    at = from + Math.ceil(length / 4) * 4;
    return { shape, floats: () => toFloats(source.read(from, length), type) };
  };
  return {
    flagged(shape) {
      if (at + 4 > source.size) throw tooShort(source.size);
      const flag = source.read(at, 4).readUInt32LE();
      at += 4;
      if (flag === halfFlag) return take(shape, 'float16');
      if (flag === 0) return take(shape, 'float32');
      const what =
        flag === integerFlag ? 'as 8-bit integers' : `in a way (${flag}) that is not read`;
      throw refused(
        `The weights in the .bin file are stored ${what}. Bring the network with 16- or 32-bit floats.`,
      );
    },
    plain: (shape) => take(shape, 'float32'),
    assertEnd() {
      if (at >= source.size) return;
      throw refused(
        `The .bin file does not belong to the .param file: ${source.size - at} of its ${source.size} bytes are left over.`,
      );
    },
  };
}

const tooShort = (size: number) =>
  refused(
    `The .bin file is cut short, or does not belong to the .param file: the layers need more than its ${size} bytes.`,
  );
