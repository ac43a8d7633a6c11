/** A job as it travels: without paths and files of this machine, and with those of another one put in. Pure. */
import type { Settings } from '../../contract/admin.ts';
import type {
  CutoutJob,
  Job,
  JobFrame,
  MaskNetworkFile,
  NetworkFile,
  UpscaleJob,
  ViewPaths,
} from '../../engine/protocol.ts';
import type { Asked, FileRole } from './messages.ts';

type Travelling = UpscaleJob | CutoutJob;

export function askedOf(job: Travelling): Asked {
  const { format, formatChosen, quality, bitDepth, metadata, history } = job;
  const frame = {
    format,
    formatChosen,
    ...(quality !== undefined && { quality }),
    bitDepth,
    metadata,
    ...(history !== undefined && { history }),
  };
  if (job.operation === 'remove-bg') {
    const { operation, network, background, crop, maskOnly, strokes } = job;
    const cut = { operation, model: network.modelId, background, maskOnly, strokes: [...strokes] };
    return { ...frame, ...cut, ...(crop !== undefined && { crop }) };
  }
  const { operation, passes, choices, target, sharpen, restore, grain, keep } = job;
  const scales = (all: NetworkFile[]) => all.map(({ scale }) => scale);
  return {
    ...frame,
    operation,
    model: passes[0]?.modelId ?? '',
    passes: scales(passes),
    ...(choices && { choices: choices.map(scales) }),
    ...(target && { target }),
    ...(sharpen !== undefined && { sharpen }),
    ...(restore !== undefined && { restore }),
    ...(grain !== undefined && { grain }),
    ...(keep !== undefined && { keep }),
  };
}

export interface Networks {
  network(model: string, scale: number): Promise<NetworkFile>;
  maskNetwork(model: string): Promise<MaskNetworkFile>;
}

type Places = Pick<JobFrame, 'jobId' | 'sourcePath' | 'scratchDir' | 'outputPath' | 'thumbPath'> & {
  views: ViewPaths;
};

/** Throws MODEL_UNAVAILABLE. Sizes and device are as this machine's own settings allow. */
export async function jobOf(
  asked: Asked,
  places: Places,
  settings: Pick<Settings, 'maxSourcePixels' | 'maxResultPixels' | 'device'>,
  networks: Networks,
): Promise<Job> {
  const { model, ...rest } = asked;
  const frame = {
    ...places,
    format: rest.format,
    limits: { sourcePixels: settings.maxSourcePixels, resultPixels: settings.maxResultPixels },
    device: settings.device,
  };
  if (rest.operation === 'remove-bg')
    return { ...rest, ...frame, network: await networks.maskNetwork(model) };
  const { passes, choices, ...upscale } = rest;
  const open = (scales: readonly number[]) =>
    Promise.all(scales.map((scale) => networks.network(model, scale)));
  return {
    ...upscale,
    ...frame,
    passes: await open(passes),
    ...(choices && { choices: await Promise.all(choices.map(open)) }),
  };
}

/** Where each file of a job is written, those that are wanted. */
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
