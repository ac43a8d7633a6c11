/** A result saved again in another format: decoded and encoded, through no network. */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Timings } from '../../contract/task.ts';
import { decodeSource } from '../decode-source.ts';
import { timed } from '../job-timings.ts';
import type { JobHooks } from '../job-tools.ts';
import {
  estimateOf,
  nameOf,
  planOutput,
  scratchBytes,
  writtenBits,
  type OutputPlan,
} from '../output-plan.ts';
import type { ConvertJob, JobReport, Step } from '../protocol.ts';
import { convertRaster } from '../raster/convert-raster.ts';
import type { Decoded } from '../raster/decode.ts';
import { assertDisk } from '../raster/disk.ts';
import { fromDisplay } from '../raster/display-colours.ts';
import { inspect, type Inspected } from '../raster/inspect.ts';
import { hasAlpha, openRaster, type RasterShape } from '../raster/raster-file.ts';
import { decodeSilenceMs } from '../watch-limits.ts';
import { silenceOf, writeResult, type Written } from '../write-result.ts';

/** Rejects with EnlargerError. What it leaves in the scratch folder is the service's to remove. */
export async function runConvert(job: ConvertJob, hooks: JobHooks): Promise<JobReport> {
  const timings: Timings = {};
  const { limits } = job;
  const inspected = await inspect(job.sourcePath, { ...limits, sourcePixels: limits.resultPixels });
  const plan = planOutput(inspected.info, 1, job);
  const diskBytes = scratchBytes(inspected.info, [1], plan);
  const estimate = estimateOf(plan, diskBytes, undefined);
  hooks.onProgress({ step: 'decode', percent: 0, estimate }, decodeSilenceMs(0));
  await assertDisk(job.scratchDir, diskBytes);
  const progress = createConvertProgress(hooks);

  const decoded = await timed(timings, 'decodeMs', () =>
    decodeSource(job, inspected, progress, hooks.signal),
  );
  const work = { job, inspected, decoded, plan, progress, signal: hooks.signal };
  const converted = await timed(timings, 'composeMs', () => convert(work));
  const written = await timed(timings, 'encodeMs', () => encode(work, converted));
  return reportOf(work, converted.shape, written, timings);
}

interface ConvertProgress {
  enter(step: Step, nextWithinMs: number): void;
  stillAlive(nextWithinMs: number): void;
  part(share: number): void;
}

/** Decoding is taken for 30 of 100, converting for 20 more. */
const startOf: Partial<Record<Step, number>> = { decode: 0, encode: 50 };

function createConvertProgress({ onProgress }: JobHooks): ConvertProgress {
  let step: Step = 'decode';
  let percent = 0;
  return {
    enter(next, nextWithinMs) {
      step = next;
      percent = Math.max(percent, startOf[next] ?? 0);
      onProgress({ step, percent }, nextWithinMs);
    },
    stillAlive: (nextWithinMs) => onProgress({ step, percent }, nextWithinMs),
    part(share) {
      percent = Math.max(percent, Math.floor(30 + 20 * share));
      onProgress({ step, percent }, decodeSilenceMs(0));
    },
  };
}

interface Work {
  job: ConvertJob;
  inspected: Inspected;
  decoded: Decoded;
  plan: OutputPlan;
  progress: ConvertProgress;
  signal: AbortSignal;
}

interface Converted {
  rasterPath: string;
  shape: RasterShape;
}

/** The decoded raster itself where nothing of it is to be another. */
async function convert({
  job,
  inspected,
  decoded,
  plan,
  progress,
  signal,
}: Work): Promise<Converted> {
  const { path, shape } = decoded;
  const isFlat = job.background !== undefined && hasAlpha(shape);
  if (!isFlat && shape.bits === plan.bits) return { rasterPath: path, shape };
  const icc = decoded.converted ? undefined : inspected.metadata.icc;
  const behind = isFlat ? await ownColour(job, shape, icc) : undefined;
  const rasterPath = join(job.scratchDir, 'converted.v');
  const source = openRaster(path);
  try {
    const conversion = { bits: plan.bits, behind };
    const onRows = (share: number) => progress.part(share);
    const made = await convertRaster(source, rasterPath, conversion, { signal, onRows });
    return { rasterPath, shape: made };
  } finally {
    source.close();
    rmSync(path, { force: true });
  }
}

/** The background in the picture's numbers, a grey one's as its lightness (ITU-R BT.709). */
async function ownColour(
  { background = '#ffffff', scratchDir }: ConvertJob,
  { bands }: RasterShape,
  icc: Buffer | undefined,
): Promise<number[]> {
  const colour = [1, 3, 5].map((at) => Number.parseInt(background.slice(at, at + 2), 16) / 255);
  const [red = 1, green = 1, blue = 1] = colour;
  if (bands < 3) return [0.2126 * red + 0.7152 * green + 0.0722 * blue];
  if (!icc) return colour;
  const own = await fromDisplay(colour, icc, scratchDir).catch(() => colour);
  return own.length === colour.length ? own : colour;
}

function encode(work: Work, { rasterPath, shape }: Converted): Promise<Written> {
  const { job, inspected, decoded, plan, progress, signal } = work;
  const { format } = plan;
  progress.enter('encode', silenceOf({ format, shape }));
  const made = `saved again as ${nameOf(format)}`;
  const last = { rasterPath, shape, format, scale: 1, converted: decoded.converted, made };
  return writeResult(job, inspected, last, progress, signal);
}

function reportOf(
  { inspected, decoded, plan }: Work,
  shape: RasterShape,
  written: Written,
  timings: Timings,
): JobReport {
  const { format, width, height, bitDepth, channels, sizeBytes } = inspected.info;
  const isFlattened = plan.format === 'jpeg' && hasAlpha(shape);
  return {
    input: { format, width, height, bitDepth, channels, sizeBytes },
    output: {
      format: plan.format,
      width,
      height,
      bitDepth: writtenBits(plan),
      channels: isFlattened ? 3 : shape.bands,
      sizeBytes: written.sizeBytes,
    },
    timings,
    notes: [...lossyNotes(inspected), ...plan.notes, ...decoded.notes, ...written.notes],
    ran: [],
    tiles: { count: 0, sizePx: 0, computedPerCore: 1 },
  };
}

const lossyFormats = new Set(['jpeg', 'webp', 'avif']);

function lossyNotes({ info, encoding }: Inspected): string[] {
  if (!lossyFormats.has(info.format) || encoding.lossless) return [];
  const name = info.format === 'webp' ? 'WebP' : info.format.toUpperCase();
  return [
    `It was made from the ${name} result, which had lost a little of the detail. Run the task again in this format for all of it.`,
  ];
}
