/** Decides in which precision a device runs a network that it could run in several. This is pure. */
import type { Precision } from '../../../contract/models/model.ts';
import type { AnyNetworkFile, Provider } from '../../protocol/messages.ts';
import type { CheckOutcome } from '../checks/check.ts';

/** Lists the precisions in which a device other than the CPU may run a network, in the order of trying. */
export function precisionsOn(provider: Provider, { variants }: AnyNetworkFile): Precision[] {
  const half = provider !== 'cpu' && variants.some(({ precision }) => precision === 'fp16');
  return half ? ['fp16', 'fp32'] : ['fp32'];
}

/** Half precision must be this many times as fast to be worth its rounding. */
const halfGain = 1.1;

export interface Checked {
  precision: Precision;
  outcome: CheckOutcome;
}

/**
 * Picks the best of the checked precisions: half precision where its outcome is ok and it gains enough,
 * otherwise single precision where that is ok. Where none is ok, it picks an outcome that says why.
 */
export function betterPrecision(checked: readonly [Checked, ...Checked[]]): Checked {
  const [single, half] = (['fp32', 'fp16'] as const).map((precision) =>
    checked.find((one) => one.precision === precision && one.outcome.ok),
  );
  if (!single || !half) return single ?? half ?? checked[0];
  if (!single.outcome.ok || !half.outcome.ok) return single;
  const gain = half.outcome.megapixelsPerSecond / single.outcome.megapixelsPerSecond;
  return gain >= halfGain ? half : single;
}
