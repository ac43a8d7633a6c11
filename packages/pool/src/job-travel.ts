/**
 * Jobs for transport: without the sender's paths and files, and with those of the machine that runs them.
 * Pure.
 */
import type { Settings } from '../../contract/src/settings/settings.ts';
import type {
  CutoutJob,
  Enlargement,
  Job,
  JobFrame,
  MaskNetworkFile,
  NetworkFile,
  UpscaleJob,
  ViewPaths,
} from '../../../electron/engine/protocol/messages.ts';
import { pickDefined, keysOf } from '../../contract/src/pick-defined.ts';
import { edgeChoices, finishingChoices, placingChoices } from '../../contract/src/request.ts';
import { frame, type JobRequest, type FileRole } from './messages.ts';

type PoolableJob = UpscaleJob | CutoutJob;

/**
 * Only one picture is sent, so jobs with a background picture stay here; and so do those with an amount's area, and
 * those with a network of this machine for prompts.
 */
export const canTravel = (job: Job): boolean =>
  job.operation === 'upscale'
    ? job.amountArea === undefined
    : job.operation !== 'remove-bg' ||
      (job.backgroundPath === undefined && job.selector === undefined);

export function requestOf(job: PoolableJob): JobRequest {
  const common = pickDefined(job, keysOf(frame));
  if (job.operation === 'remove-bg') {
    const { network, strokes, enlarge } = job;
    const options = pickDefined(job, [
      'background',
      'maskOnly',
      'crop',
      'target',
      ...keysOf(edgeChoices),
      ...keysOf(placingChoices),
    ]);
    const { operation } = job;
    return {
      ...common,
      operation,
      model: network.modelId,
      ...options,
      strokes: [...strokes],
      ...(enlarge && { enlarge: { ...enlargementRequest(enlarge), first: enlarge.first } }),
    };
  }
  return { ...common, operation: job.operation, ...enlargementRequest(job) };
}

function enlargementRequest(job: Enlargement) {
  const { passes, choices } = job;
  const scales = (all: NetworkFile[]) => all.map(({ scale }) => scale);
  return {
    model: passes[0]?.modelId ?? '',
    passes: scales(passes),
    ...(choices && { choices: choices.map(scales) }),
    ...pickDefined(job, ['target', ...keysOf(finishingChoices)]),
  };
}

/** Model that takes most of the job's time. */
export const mainModelOf = (request: JobRequest): string =>
  request.operation === 'remove-bg' ? (request.enlarge?.model ?? request.model) : request.model;

export interface NetworkFiles {
  network(model: string, scale: number): Promise<NetworkFile>;
  maskNetwork(model: string): Promise<MaskNetworkFile>;
}

type MachinePaths = Pick<
  JobFrame,
  'jobId' | 'sourcePath' | 'scratchDir' | 'outputPath' | 'thumbPath'
> & {
  views: ViewPaths;
};

/**
 * Job for this machine, with the size limits and device of its own settings.
 * @throws EnlargerError MODEL_UNAVAILABLE
 */
export async function jobOf(
  request: JobRequest,
  paths: MachinePaths,
  settings: Pick<Settings, 'maxSourcePixels' | 'maxResultPixels' | 'device' | 'keepAliveMinutes'>,
  networks: NetworkFiles,
): Promise<Job> {
  const { model, ...rest } = request;
  const frame = {
    ...paths,
    format: rest.format,
    limits: { sourcePixels: settings.maxSourcePixels, resultPixels: settings.maxResultPixels },
    device: settings.device,
    keepAliveMs: settings.keepAliveMinutes * 60_000,
  };
  if (rest.operation === 'remove-bg') {
    const { enlarge, ...cutout } = rest;
    return {
      ...cutout,
      ...frame,
      network: await networks.maskNetwork(model),
      ...(enlarge && { enlarge: { ...(await opened(enlarge, networks)), first: enlarge.first } }),
    };
  }
  const { passes, choices, ...upscale } = rest;
  return { ...upscale, ...frame, ...(await opened({ model, passes, choices }, networks)) };
}

async function opened<Wishes extends object>(
  { model, passes, choices, ...options }: EnlargementRequest & Wishes,
  networks: NetworkFiles,
) {
  const open = (scales: readonly number[]) =>
    Promise.all(scales.map((scale) => networks.network(model, scale)));
  return {
    ...options,
    passes: await open(passes),
    ...(choices && { choices: await Promise.all(choices.map(open)) }),
  };
}

interface EnlargementRequest {
  model: string;
  passes: number[];
  choices?: number[][] | undefined;
}

/** Path of each output file of a job. */
export function filesOf(
  job: Pick<JobFrame, 'outputPath' | 'thumbPath' | 'views'>,
): [FileRole, string][] {
  const { outputPath, thumbPath, views } = job;
  const own: [FileRole, string][] = [
    ['result', outputPath],
    ['thumb', thumbPath],
  ];
  if (!views) return own;
  return [
    ...own,
    ['sourceThumb', views.sourceThumbPath],
    ['sourceTiles', views.sourceTilesPath],
    ['resultTiles', views.resultTilesPath],
    ['changes', views.changesPath],
    ['metadata', views.metadataPath],
    ['mask', views.maskPath],
  ];
}
