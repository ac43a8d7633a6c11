/**
 * A mask network in plain onnxruntime-node and sharp, as a program of a few lines uses it: the picture is stretched to
 * the network's input, the mask back to the picture, and the cut-out written as PNG.
 */
import { InferenceSession, Tensor } from 'onnxruntime-node';
import sharp from 'sharp';
import { sizeForNetwork, type Mask } from '../../electron/engine/tiles/mask-tensor.ts';
import type { MaskNetworkContract } from '../../electron/engine/protocol/importing.ts';

export interface BareCutter {
  /** Writes the cut-out to `toPath`; returns its mask in the picture's size. */
  cutOut(path: string, toPath: string): Promise<Mask>;
  close(): Promise<void>;
}

/** Opens a file with onnxruntime's own defaults. @param contract how the network takes pictures; NCHW and RGB */
export async function openBareCutter(
  file: string,
  contract: MaskNetworkContract,
): Promise<BareCutter> {
  const session = await InferenceSession.create(file, { logSeverityLevel: 3 });
  const { input, output, size, range, mean, deviation, activation, outputPlane } = contract;
  const tensorOf = async (path: string, width: number, height: number) => {
    const data = await sharp(path)
      .resize(width, height, { fit: 'fill' })
      .toColourspace('srgb')
      .removeAlpha()
      .raw()
      .toBuffer();
    const pixels = width * height;
    const values = new Float32Array(3 * pixels);
    for (const [band, own] of mean.entries())
      for (let i = 0; i < pixels; i += 1) {
        const value = ((data[i * 3 + band] ?? 0) / 255) * (range[1] - range[0]) + range[0];
        values[band * pixels + i] = (value - own) / (deviation[band] ?? 1);
      }
    return new Tensor('float32', values, [1, 3, height, width]);
  };
  return {
    async cutOut(path, toPath) {
      const { width, height } = await sharp(path).metadata();
      const inner = sizeForNetwork(size, { width, height });
      const tensor = await tensorOf(path, inner.width, inner.height);
      const found = (await session.run({ [input]: tensor }, [output]))[output];
      if (!(found?.data instanceof Float32Array)) throw new Error(`It gives no ${output}.`);
      const pixels = inner.width * inner.height;
      const values = found.data.subarray(outputPlane * pixels, (outputPlane + 1) * pixels);
      const grey = Uint8Array.from(values, (value) =>
        Math.round(255 * (activation === 'sigmoid' ? 1 / (1 + Math.exp(-value)) : value)),
      );
      const alpha = await sharp(grey, { raw: { ...inner, channels: 1 } })
        .resize(width, height, { fit: 'fill' })
        .toColourspace('b-w')
        .raw()
        .toBuffer();
      await sharp(path)
        .removeAlpha()
        .joinChannel(alpha, { raw: { width, height, channels: 1 } })
        .png()
        .toFile(toPath);
      return { width, height, data: Float32Array.from(alpha, (value) => value / 255) };
    },
    close: () => session.release(),
  };
}
