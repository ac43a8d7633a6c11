/** Chooses the precision in which a device runs a network. Pure. */
import type { Precision } from '../../../../packages/contract/src/models/model.ts';
import type { AnyNetworkFile, Provider } from '../../protocol/messages.ts';
import type { CheckOutcome } from '../checks/check.ts';

/** Precisions in which a device other than the CPU may run a network, in the order of trying. */
export function precisionsOn(provider: Provider, { variants }: AnyNetworkFile): Precision[] {
  const half = provider !== 'cpu' && variants.some(({ precision }) => precision === 'fp16');
  return half ? ['fp16', 'fp32'] : ['fp32'];
}

/** Minimum gain of half precision over its rounding errors. */
const minHalfGain = 1.1;

export interface PrecisionCheck {
  precision: Precision;
  outcome: CheckOutcome;
}

/**
 * Returns fp16 if it passed and gains enough, otherwise fp32 if that passed. If none passed, returns a
 * failure for its reason.
 */
export function betterPrecision(
  checked: readonly [PrecisionCheck, ...PrecisionCheck[]],
): PrecisionCheck {
  const [single, half] = (['fp32', 'fp16'] as const).map((precision) =>
    checked.find((one) => one.precision === precision && one.outcome.ok),
  );
  if (!single || !half) return single ?? half ?? checked[0];
  if (!single.outcome.ok || !half.outcome.ok) return single;
  const gain = half.outcome.megapixelsPerSecond / single.outcome.megapixelsPerSecond;
  return gain >= minHalfGain ? half : single;
}
