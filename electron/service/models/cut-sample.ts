/**
 * Measures cut-outs on a drawn photo, so that the first estimate knows the seconds: they depend on network
 * and processor together. Gives way to photos.
 */
import { mkdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Settings } from '../../../packages/contract/src/settings/settings.ts';
import { EngineDied, type EngineHost } from '../../engine/host/host.ts';
import type { CutoutJob } from '../../engine/protocol/messages.ts';
import { speedAmong } from '../../engine/plan/speeds.ts';
import type { ModelCatalogue } from './catalogue.ts';
import { sampleSubject } from './sample-subject.ts';

interface CutSampleOptions {
  models: Pick<ModelCatalogue, 'openMaskNetwork' | 'maskNetwork'>;
  engine: Pick<EngineHost, 'run' | 'speeds'>;
  settings: () => Pick<
    Settings,
    'defaultRemover' | 'device' | 'maxSourcePixels' | 'maxResultPixels'
  >;
  scratchDir: string;
  /** Size of the drawn photo; `sampleSize` by default. */
  size?: { width: number; height: number };
  /** True while photos wait or run. */
  isBusy: () => boolean;
  /** Subscribes to arriving photos. @returns the function that unsubscribes */
  onWork: (listener: () => void) => () => void;
}

/** Half of a typical photo, which balances the constant part of the time. */
const sampleSize = { width: 3000, height: 2000 };

/**
 * @returns true if the speed is known; false if the measurement must be retried later
 * @throws EnlargerError if the sample cannot be cut out
 */
export async function cutSample(options: CutSampleOptions, closing: AbortSignal): Promise<boolean> {
  const { models, engine, settings, isBusy, onWork } = options;
  const { defaultRemover } = settings();
  const { modelId } = models.maskNetwork(defaultRemover);
  if (speedAmong(engine.speeds())({ modelId, scale: 1 }) !== undefined) return true;
  if (isBusy()) return false;
  const giving = new AbortController();
  const end = onWork(() => giving.abort());
  const folder = path.join(options.scratchDir, 'sample');
  try {
    await rm(folder, { recursive: true, force: true });
    await mkdir(path.join(folder, 'scratch'), { recursive: true });
    await runOn(folder, options, AbortSignal.any([closing, giving.signal]));
    return true;
  } catch (error) {
    closing.throwIfAborted();
    if (giving.signal.aborted || error instanceof EngineDied) return false;
    throw error;
  } finally {
    end();
    await rm(folder, { recursive: true, force: true });
  }
}

async function runOn(folder: string, options: CutSampleOptions, signal: AbortSignal) {
  const job = await jobIn(folder, options);
  const { width, height } = options.size ?? sampleSize;
  await writeFile(job.sourcePath, sampleSubject(width, height));
  signal.throwIfAborted();
  await options.engine.run(job, { signal, onProgress: () => undefined });
}

async function jobIn(folder: string, { models, settings }: CutSampleOptions): Promise<CutoutJob> {
  const { defaultRemover, device, ...most } = settings();
  return {
    operation: 'remove-bg',
    jobId: 'sample-subject',
    network: await models.openMaskNetwork(defaultRemover),
    background: 'transparent',
    maskOnly: false,
    strokes: [],
    sourcePath: path.join(folder, 'sample.tif'),
    scratchDir: path.join(folder, 'scratch'),
    outputPath: path.join(folder, 'result.png'),
    thumbPath: path.join(folder, 'thumb.webp'),
    format: 'png',
    formatChosen: true,
    bitDepth: 8,
    metadata: 'none',
    limits: { sourcePixels: most.maxSourcePixels, resultPixels: most.maxResultPixels },
    device,
    // Unloaded at once, since there may never be another cut-out.
    keepAliveMs: 0,
  };
}
