/** Runs a mask network once over a picture, on the best device that produces a mask. */
import { EnlargerError, taskCancelled } from '../../../packages/contract/src/errors.ts';
import { maskOf, type Mask } from '../tiles/mask-tensor.ts';
import { onBestDevice, type Runner } from './devices/best-device.ts';
import type { MaskResult, MaskRequest } from './protocol.ts';

/** Computes a mask. @throws EnlargerError INVALID_OUTPUT if no device produces one, CANCELLED */
export async function runMask(runner: Runner, request: MaskRequest): Promise<MaskResult> {
  const { network, tensor, width, height } = request;
  const stop = new Int32Array(request.stopFlag);
  const names = request.withFeatures === true ? (network.clicks?.features ?? []) : [];
  const { result, ...where } = await onBestDevice(runner, request, async (session) => {
    if (Atomics.load(stop, 0) !== 0) throw taskCancelled();
    const [output, ...features] = await session.runFor(names, tensor, width, height);
    const mask = maskOf(output.data, network, { width, height });
    if (session.provider !== 'cpu') assertNotFlat(mask);
    // Copied, because the next run may reuse the arrays.
    const copies = features.map(({ dims, data }) => ({ dims, data: data.slice() }));
    return { mask, ...(names.length > 0 && { features: copies }) };
  });
  return { ...result, ...where };
}

/**
 * Range below which a mask is flat: no network computes one for a photo, but a failing device does. The CPU's
 * mask is used as it is.
 */
const flatRange = 1 / 255;

function assertNotFlat({ data }: Mask): void {
  const [first = 0] = data;
  if (data.some((value) => Math.abs(value - first) > flatRange)) return;
  throw new EnlargerError('INVALID_OUTPUT', 'It gave one value for the whole picture.');
}
