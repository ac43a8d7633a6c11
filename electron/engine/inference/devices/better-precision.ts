/** In which precision a device runs a network that it could run in several. Pure. */
import type { Precision } from '../../../contract/model.ts';
import type { AnyNetworkFile, Provider } from '../../protocol.ts';
import type { CheckOutcome } from '../checks/check.ts';

/** What a device other than the CPU may run of a network; what is tried first stands first. */
export function precisionsOn(provider: Provider, { variants }: AnyNetworkFile): Precision[] {
  const half = provider !== 'cpu' && variants.some(({ precision }) => precision === 'fp16');
  return half ? ['fp16', 'fp32'] : ['fp32'];
}

/** So much faster half precision must be: below that, rounding buys nothing. */
const halfGain = 1.1;

export interface Checked {
  precision: Precision;
  outcome: CheckOutcome;
}

/**
 * The best of what was checked: half precision where the device gains by it, and its numbers were near enough to
 * be an outcome that is ok. Where none is, the one that says why.
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
