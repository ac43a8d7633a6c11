/** A network that measures blur, loaded on the CPU. */
import { Tensor } from 'onnxruntime-node';
import { EnlargerError } from '../../../../packages/contract/src/errors.ts';
import { patchPx } from '../../analysis/blur-patches.ts';
import { blurUnit, qualityUnit } from '../../plan/choose-restoring.ts';
import type { Blur } from '../../protocol/damage.ts';
import type { BlurRequest } from '../protocol.ts';
import { openCpuSession } from './cpu-session.ts';

export interface BlurSession {
  /** @throws EnlargerError INVALID_OUTPUT for anything but three finite pairs */
  run(request: Pick<BlurRequest, 'patches' | 'jpegQuality'>): Promise<Blur>;
  close(): Promise<void>;
}

/** Positions in the output [3, 2]. */
const [deviationAt, errorAt] = [4, 5];
const outputs = 6;
/** The passes run beside it. */
const threads = 1;

/** @throws EnlargerError MODEL_UNAVAILABLE if the file cannot be loaded */
export async function openBlurSession(network: BlurRequest['network']): Promise<BlurSession> {
  const session = await openCpuSession(network, 'network of blur', threads);
  return {
    async run({ patches, jpegQuality }) {
      const count = patches.length / (3 * patchPx * patchPx);
      const known = jpegQuality === undefined ? [0, 0] : [1, (100 - jpegQuality) / qualityUnit];
      const { [network.output]: output } = await session.run(
        {
          [network.patches]: new Tensor('float32', patches, [count, 3, patchPx, patchPx]),
          [network.compression]: new Tensor('float32', Float32Array.from(known), [1, 2]),
        },
        [network.output],
      );
      const values = output?.data;
      if (
        !(values instanceof Float32Array) ||
        values.length !== outputs ||
        !values.every(Number.isFinite)
      )
        throw new EnlargerError('INVALID_OUTPUT', `${network.modelId} measured no blur.`);
      return {
        deviationPx: (values[deviationAt] ?? 0) * blurUnit,
        errorPx: (values[errorAt] ?? 0) * blurUnit,
      };
    },
    close: () => session.release(),
  };
}
