/** Decides what to try after a run failed on a device. Pure. */
import type { AnyNetworkFile } from '../../protocol/messages.ts';
import { smallestTilePx } from '../../tiles/tile-plan.ts';

/**
 * Out-of-memory messages of CUDA's allocator, DirectML, WebGPU, the C++ library and onnxruntime's CPU arena.
 */
const memoryErrors =
  /out of memory|outofmemory|OOM\b|bad_alloc|bad allocation|failed to allocate|allocation failed|cannot allocate|CUDNN_STATUS_ALLOC_FAILED|CUBLAS_STATUS_ALLOC_FAILED|8007000E|ERROR_OUT_OF_DEVICE_MEMORY/i;

export const isOutOfMemory = (error: unknown): boolean =>
  memoryErrors.test(error instanceof Error ? error.message : String(error));

export interface TileBatch {
  tilePx: number;
  batch?: number;
}

/**
 * Returns what to try next on the same device; undefined: try the next device. If memory ran out, it is half
 * the batch, then half the tile down to the network's minimum; a network of one size has no smaller tile. A
 * batch that failed otherwise is run tile by tile.
 */
export function smallerBatch(
  error: unknown,
  network: AnyNetworkFile,
  { tilePx, batch = 1 }: TileBatch,
): Required<TileBatch> | undefined {
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
