/** Decides what is tried next when a run failed on a device. This is pure. */
import type { AnyNetworkFile } from '../../protocol/messages.ts';
import { smallestTilePx } from '../../tiles/tile-plan.ts';

/**
 * The words with which drivers and onnxruntime say that memory did not suffice: those of CUDA's allocator,
 * the result codes of DirectML and WebGPU, and the words of the C++ library and of the CPU's own arena.
 */
const memoryWords =
  /out of memory|outofmemory|OOM\b|bad_alloc|bad allocation|failed to allocate|allocation failed|cannot allocate|CUDNN_STATUS_ALLOC_FAILED|CUBLAS_STATUS_ALLOC_FAILED|8007000E|ERROR_OUT_OF_DEVICE_MEMORY/i;

export const isOutOfMemory = (error: unknown): boolean =>
  memoryWords.test(error instanceof Error ? error.message : String(error));

export interface Portion {
  tilePx: number;
  batch?: number;
}

/**
 * Gives what is tried next on the same device, or undefined when the next device is to be tried. Where memory
 * did not suffice, it is half the batch, then half the tile while the network takes one that small; a network
 * of one size has no smaller tile. A batch that failed otherwise is run tile by tile.
 */
export function smallerPortion(
  error: unknown,
  network: AnyNetworkFile,
  { tilePx, batch = 1 }: Portion,
): Portion | undefined {
  if (batch > 1) return { tilePx, batch: isOutOfMemory(error) ? Math.floor(batch / 2) : 1 };
  const tile = isOutOfMemory(error) ? smallerTile(network, tilePx) : undefined;
  return tile === undefined ? undefined : { tilePx: tile, batch };
}

function smallerTile(network: AnyNetworkFile, tilePx: number): number | undefined {
  if (!('scale' in network) || network.fixedPx !== undefined) return undefined;
  const half = Math.ceil(tilePx / 2 / network.multiple) * network.multiple;
  const smaller = Math.max(half, smallestTilePx(network));
  return smaller < tilePx ? smaller : undefined;
}
