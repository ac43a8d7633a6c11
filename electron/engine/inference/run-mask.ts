/** A mask network's one run over a picture, on the best device that gives a mask. */
import { taskCancelled } from '../../contract/errors.ts';
import { maskOf } from '../works/cutout/mask/mask-tensor.ts';
import { onBestDevice, type Runner } from './best-device.ts';
import type { MaskDone, MaskRequest } from './protocol.ts';

/** Throws INVALID_OUTPUT when no device gives one, and CANCELLED when it is no longer wanted. */
export async function runMask(runner: Runner, request: MaskRequest): Promise<MaskDone> {
  const { network, tensor, width, height } = request;
  const stop = new Int32Array(request.stop);
  const { result, ...where } = await onBestDevice(runner, request, async (session) => {
    if (Atomics.load(stop, 0) !== 0) throw taskCancelled();
    return maskOf(await session.run(tensor, width, height), network, { width, height });
  });
  return { mask: result, ...where };
}
