/** Writes a job's last raster as its result, with metadata that is true for it, and its thumbnail. */
import { note } from '../../../../packages/contract/src/notes/notes.ts';
import {
  type LightEncoding,
  type GainMapFile,
  transferMetadata,
  type History,
  encode,
  writeThumbnail,
  type Animation,
  type EncodeRequest,
  keptLight,
  enlargeGainMap,
  type InspectedPicture,
  planMetadata,
  appendTrailer,
} from '../../../../packages/photo-files/src/index.ts';
import type { OutputPlan } from '../../plan/output-plan.ts';
import type { ProgressReporter } from './progress.ts';
import type { Job, JobFrame } from '../../protocol/messages.ts';
import { rowBytes } from '../../raster/raster-file.ts';
import { viewBytesWritten, viewMetadata, viewResult } from '../../views/views.ts';
import {
  bytesWritten,
  encodeStallMs,
  awaitUncancellable,
} from '../../cancellation/uncancellable-work.ts';
import type { JobOutput } from './job-context.ts';

interface LastRaster extends Pick<
  JobOutput,
  'rasterPath' | 'shape' | 'scale' | 'converted' | 'made' | 'sourceType'
> {
  format: OutputPlan['format'];
  /** Frames of which `rasterPath` is the first; absent: a still picture. */
  animation?: Animation;
}

export interface WrittenResult {
  sizeBytes: number;
  notes: string[];
}

/** Stall limit of a result's encoder, in ms. */
export const encodeStallOf = ({
  format,
  shape,
  animation,
}: Pick<LastRaster, 'format' | 'shape' | 'animation'>) =>
  encodeStallMs(format, ((animation?.frames ?? 1) * shape.width * shape.height) / 1e6);

/**
 * Writes and syncs result and thumbnail at the job's paths.
 *
 * @throws EnlargerError STORAGE_FULL, CANNOT_WRITE
 */
export async function writeResult(
  job: Job,
  inspected: InspectedPicture,
  lastRaster: LastRaster,
  progress: Pick<ProgressReporter, 'heartbeat'>,
  signal: AbortSignal,
): Promise<WrittenResult> {
  const { rasterPath, shape, format, scale, converted } = lastRaster;
  const { width, height } = shape;
  const turned = inspected.orientation > 1;
  const sidesExchanged = inspected.orientation > 4;
  const carried = transferMetadata(inspected.metadata, {
    choice: job.metadata,
    ppi: job.ppi,
    facts: { width, height, scale, turned, sidesExchanged, converted },
    history: historyOf(job, lastRaster),
  });
  const gainMap = await carryGainMap(job, inspected, lastRaster, progress, signal);
  const gainMapFile = gainMap?.file;
  const metadata = planMetadata(
    format,
    { ...carried.metadata, ...(gainMapFile && { gainMapFile }) },
    shape,
  );
  appendTrailer(rasterPath, metadata.trailer);
  const { outputPath, quality } = job;
  const sourceEncoding = format === inspected.format ? inspected.encoding : undefined;
  let movedBytes = 0;
  const onMoved = (bytes: number) => (movedBytes += bytes);
  const plan = { format };
  const request = {
    rasterPath,
    shape,
    plan,
    quality,
    sourceEncoding,
    metadata,
    outputPath,
    animation: lastRaster.animation,
    onMoved,
  };
  const sizeBytes = await awaitUncancellable(
    encodeAll(request, job, keptLight(inspected, { format, bits: shape.bits })),
    () => movedBytes + bytesWritten(outputPath) + viewBytesWritten(job.views?.resultTilesPath),
    () => progress.heartbeat(encodeStallOf(lastRaster)),
    signal,
  );
  await viewMetadata(job, inspected, outputPath);
  const gainMapNotes = gainMap ? [gainMap.note] : [];
  return { sizeBytes, notes: [...gainMapNotes, ...carried.notes, ...metadata.notes] };
}

interface CarriedGainMap {
  /** Absent: the result has no map. */
  file?: GainMapFile | undefined;
  note: string;
}

/** Enlarges the gain map of an HDR photo for a JPEG; undefined for other photos. */
async function carryGainMap(
  job: Pick<Job, 'operation' | 'sourcePath' | 'scratchDir'>,
  inspected: InspectedPicture,
  { format, shape, converted }: LastRaster,
  progress: Pick<ProgressReporter, 'heartbeat'>,
  signal: AbortSignal,
): Promise<CarriedGainMap | undefined> {
  const { hasGainMap, gainMap } = inspected.metadata;
  if (hasGainMap !== true) return undefined;
  if (job.operation === 'remove-bg') return { note: note('GAIN_MAP_DROPPED') };
  if (format !== 'jpeg') return { note: note('GAIN_MAP_NOT_HELD') };
  const unreadable = { note: note('GAIN_MAP_UNREADABLE') };
  if (!gainMap || converted) return unreadable;
  const { sourcePath, scratchDir } = job;
  const onProgress = () => progress.heartbeat(encodeStallMs(format, 0));
  const order = { sourcePath, scratchDir, inspected, gainMap, size: shape };
  const file = await enlargeGainMap(order, { signal, onProgress });
  return file ? { file, note: note('GAIN_MAP_ENLARGED') } : unreadable;
}

/** How the result was made, for its metadata. */
function historyOf({ history }: JobFrame, { made, sourceType }: LastRaster): History | undefined {
  if (!history) return undefined;
  return { software: history, parameters: made, sourceType, when: new Date().toISOString() };
}

/**
 * Encoders hold some rows each. From this row size on they run one after the other, to hold fewer at once.
 */
const wideRowBytes = 512 * 1024;

async function encodeAll(
  request: EncodeRequest,
  job: JobFrame,
  light: LightEncoding | undefined,
): Promise<number> {
  const { rasterPath, shape } = request;
  const isWide = rowBytes(shape) > wideRowBytes;
  const thumbnail = writeThumbnail(rasterPath, job.thumbPath, { light });
  if (isWide) await thumbnail;
  // Tiles that are cut on demand are mapped.
  const tiles = viewResult(light ? undefined : job.views, rasterPath, shape);
  if (isWide) await tiles;
  const [sizeBytes] = await Promise.all([encode(request), thumbnail, tiles]);
  return sizeBytes;
}
