/** What is tried next when a run failed on a device. Pure. */
import type { AnyNetworkFile } from '../protocol.ts';
import { smallestTilePx } from '../works/upscale/tile-plan.ts';

/**
 * How drivers and onnxruntime say that memory did not suffice: CUDA's allocator, DirectML's and WebGPU's
 * result codes, the C++ library, and the CPU's own arena.
 */
const memoryWords =
  /out of memory|outofmemory|OOM\b|bad_alloc|bad allocation|failed to allocate|allocation failed|cannot allocate|CUDNN_STATUS_ALLOC_FAILED|CUBLAS_STATUS_ALLOC_FAILED|8007000E|ERROR_OUT_OF_DEVICE_MEMORY/i;

export const isOutOfMemory = (error: unknown): boolean =>
  memoryWords.test(error instanceof Error ? error.message : String(error));

/**
 * Half the tile when memory did not suffice for it and half of it is still one; undefined when the next
 * device is to be tried. A network of one size has no smaller tile.
 */
export function smallerTile(
  error: unknown,
  network: AnyNetworkFile,
  tilePx: number,
): number | undefined {
  if (!('scale' in network) || network.fixedPx !== undefined || !isOutOfMemory(error))
    return undefined;
  const half = Math.ceil(tilePx / 2 / network.multiple) * network.multiple;
  const smaller = Math.max(half, smallestTilePx(network));
  return smaller < tilePx ? smaller : undefined;
}
