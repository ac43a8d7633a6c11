/** Runs a mask network once over a picture, on the best device that gives a mask. */
import { EnlargerError, taskCancelled } from '../../contract/errors.ts';
import { maskOf, type Mask } from '../tiles/mask-tensor.ts';
import { onBestDevice, type Runner } from './devices/best-device.ts';
import type { MaskDone, MaskRequest } from './protocol.ts';

/** Computes a mask. It throws INVALID_OUTPUT when no device gives one, and CANCELLED. */
export async function runMask(runner: Runner, request: MaskRequest): Promise<MaskDone> {
  const { network, tensor, width, height } = request;
  const stop = new Int32Array(request.stop);
  const { result, ...where } = await onBestDevice(runner, request, async (session) => {
    if (Atomics.load(stop, 0) !== 0) throw taskCancelled();
    const mask = maskOf(await session.run(tensor, width, height), network, { width, height });
    if (session.provider !== 'cpu') assertNotFlat(mask);
    return mask;
  });
  return { mask: result, ...where };
}

/**
 * A mask whose values differ by less than a level is flat: no network gives one for a photo, but a device
 * that computes nothing does. The CPU's mask is taken as it is.
 */
const flat = 1 / 255;

function assertNotFlat({ data }: Mask): void {
  const [first = 0] = data;
  if (data.some((value) => Math.abs(value - first) > flat)) return;
  throw new EnlargerError('INVALID_OUTPUT', 'It gave one value for the whole picture.');
}
