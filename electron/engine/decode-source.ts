/** A job's source to its raster, with what is looked at later: the same for every operation. */
import type { Progress } from './progress.ts';
import type { JobFrame } from './protocol.ts';
import { bytesDecoded, decode, decodeLimitSeconds, type Decoded } from './raster/decode.ts';
import { isForeign } from './raster/foreign/protocol.ts';
import type { Inspected } from './raster/inspect.ts';
import { bytesOfView, viewSource } from './views/views.ts';
import { decodeSilenceMs } from './watch-limits.ts';
import { watched } from './watched.ts';

/** Says life while it decodes. Throws what decode throws, and the signal's reason. */
export async function decodeSource(
  job: JobFrame,
  inspected: Inspected,
  progress: Pick<Progress, 'enter' | 'stillAlive'>,
  signal: AbortSignal,
): Promise<Decoded> {
  const megapixels = (inspected.info.width * inspected.info.height) / 1e6;
  // A foreign decoder writes at its end, and its thread is ended after its limit.
  const silenceMs = isForeign(inspected.format)
    ? 5000 + 1000 * decodeLimitSeconds(megapixels)
    : decodeSilenceMs(megapixels);
  progress.enter('decode', silenceMs);
  const onGrowth = () => progress.stillAlive(silenceMs);
  const decoded = await watched(
    decode(job.sourcePath, inspected, job.scratchDir),
    () => bytesDecoded(job.scratchDir),
    onGrowth,
    signal,
  );
  onGrowth();
  const viewed = viewSource(job.views, inspected, decoded);
  await watched(viewed, () => bytesOfView(job.views?.sourceTilesPath), onGrowth, signal);
  return decoded;
}
