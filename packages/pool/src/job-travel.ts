/**
 * A job travels without the paths and files of the machine that sends it, and those of the machine that runs
 * it are put in there. This is pure.
 */
import type { Settings } from '../../../electron/contract/settings/settings.ts';
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
import { pickDefined, keysOf } from '../../../electron/contract/pick-defined.ts';
import {
  edgeChoices,
  finishingChoices,
  placingChoices,
} from '../../../electron/contract/request.ts';
import { frame, type Asked, type FileRole } from './messages.ts';

type Travelling = UpscaleJob | CutoutJob;

/** Says whether a job can be sent. A second picture is not, so a job with a background picture stays here. */
export const canTravel = (job: Job): boolean =>
  job.operation !== 'remove-bg' || job.backgroundPath === undefined;

export function askedOf(job: Travelling): Asked {
  const common = pickDefined(job, keysOf(frame));
  if (job.operation === 'remove-bg') {
    const { network, strokes, enlarge } = job;
    const wishes = pickDefined(job, [
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
      ...wishes,
      strokes: [...strokes],
      ...(enlarge && { enlarge: { ...enlargementAsked(enlarge), first: enlarge.first } }),
    };
  }
  return { ...common, operation: job.operation, ...enlargementAsked(job) };
}

function enlargementAsked(job: Enlargement) {
  const { passes, choices } = job;
  const scales = (all: NetworkFile[]) => all.map(({ scale }) => scale);
  return {
    model: passes[0]?.modelId ?? '',
    passes: scales(passes),
    ...(choices && { choices: choices.map(scales) }),
    ...pickDefined(job, ['target', ...keysOf(finishingChoices)]),
  };
}

/** Names the model that takes most of a job's time. */
export const mainModelOf = (asked: Asked): string =>
  asked.operation === 'remove-bg' ? (asked.enlarge?.model ?? asked.model) : asked.model;

export interface Networks {
  network(model: string, scale: number): Promise<NetworkFile>;
  maskNetwork(model: string): Promise<MaskNetworkFile>;
}

type Places = Pick<JobFrame, 'jobId' | 'sourcePath' | 'scratchDir' | 'outputPath' | 'thumbPath'> & {
  views: ViewPaths;
};

/**
 * Makes the job for this machine. Its limits of size and its device are those of this machine's own settings.
 * It throws MODEL_UNAVAILABLE.
 */
export async function jobOf(
  asked: Asked,
  places: Places,
  settings: Pick<Settings, 'maxSourcePixels' | 'maxResultPixels' | 'device' | 'keepAliveMinutes'>,
  networks: Networks,
): Promise<Job> {
  const { model, ...rest } = asked;
  const frame = {
    ...places,
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
  { model, passes, choices, ...wishes }: EnlargementAsked & Wishes,
  networks: Networks,
) {
  const open = (scales: readonly number[]) =>
    Promise.all(scales.map((scale) => networks.network(model, scale)));
  return {
    ...wishes,
    passes: await open(passes),
    ...(choices && { choices: await Promise.all(choices.map(open)) }),
  };
}

interface EnlargementAsked {
  model: string;
  passes: number[];
  choices?: number[][] | undefined;
}

/** Lists where each wanted file of a job is written. */
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
