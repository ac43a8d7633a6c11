/** A real engine process over a folder of its own, and jobs for it. */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Sharp } from 'sharp';
import { createEngineHost, type EngineHostOptions } from '../../electron/engine/host/host.ts';
import type {
  CutoutJob,
  Job,
  JobFrame,
  JobProgress,
  JobReport,
  MaskNetworkFile,
  NetworkFile,
  UpscaleJob,
} from '../../electron/engine/protocol/messages.ts';
import { asSharp, type Pixels } from './images.ts';
import { engineProgram } from './programs.ts';
import { temporaryFolder } from './temporary-folder.ts';

export interface TestEngine {
  readonly dir: string;
  readonly host: ReturnType<typeof createEngineHost>;
  /** A file of its own with the picture, or with what is encoded already; PNG where nothing else is said. */
  saved(picture: Pixels | Sharp | Uint8Array): Promise<string>;
  /** Runs a picture through passes; the result is at `outputPath`. */
  run(job: JobOptions, signal?: AbortSignal, onProgress?: (p: JobProgress) => void): Promise<Ran>;
  /** Cuts out a picture's subject. */
  cutOut(
    job: CutoutOptions,
    signal?: AbortSignal,
    onProgress?: (p: JobProgress) => void,
  ): Promise<Ran>;
  close(): Promise<void>;
}

export type JobOptions = Partial<Omit<UpscaleJob, 'passes'>> & {
  sourcePath: string;
  passes: NetworkFile[];
};
export type CutoutOptions = Partial<Omit<CutoutJob, 'network'>> & {
  sourcePath: string;
  network: MaskNetworkFile;
};
export interface Ran {
  report: JobReport;
  outputPath: string;
  thumbPath: string;
}

let lastJob = 0;

/** A job with every field filled in; its files lie in a new folder under `dir`. */
export function jobIn(dir: string, wish: JobOptions): UpscaleJob {
  return { operation: 'upscale', ...frameIn(dir), ...wish };
}

export function cutoutIn(dir: string, wish: CutoutOptions): CutoutJob {
  return {
    operation: 'remove-bg',
    background: 'transparent',
    maskOnly: false,
    strokes: [],
    ...frameIn(dir),
    format: 'png',
    ...wish,
  };
}

/** What a job is asked beside its files. */
export const defaultFrame = {
  format: 'same',
  formatChosen: false,
  bitDepth: 'same',
  metadata: 'keep',
  limits: { sourcePixels: 400e6, resultPixels: 16e9 },
  device: 'cpu',
} as const;

function frameIn(dir: string): Omit<JobFrame, 'sourcePath'> {
  const jobId = `job-${(lastJob += 1)}`;
  const scratchDir = join(dir, jobId);
  mkdirSync(scratchDir, { recursive: true });
  return {
    jobId,
    scratchDir,
    outputPath: join(dir, `${jobId}.result`),
    thumbPath: join(dir, `${jobId}.thumb`),
    ...defaultFrame,
  };
}

export function createTestEngine(options: Partial<EngineHostOptions> = {}): TestEngine {
  const dir = temporaryFolder();
  let files = 0;
  const host = createEngineHost({
    nodePath: process.execPath,
    enginePath: engineProgram,
    cacheDir: join(dir, 'cache'),
    log: () => undefined,
    ...options,
  });
  async function run(
    job: Job,
    signal = new AbortController().signal,
    onProgress: (p: JobProgress) => void = () => undefined,
  ): Promise<Ran> {
    const report = await host.run(job, { signal, onProgress });
    return { report, outputPath: job.outputPath, thumbPath: job.thumbPath };
  }
  return {
    dir,
    host,
    async saved(picture) {
      const path = join(dir, `picture-${(files += 1)}`);
      writeFileSync(path, await encoded(picture));
      return path;
    },
    run: (wish, signal, onProgress) => run(jobIn(dir, wish), signal, onProgress),
    cutOut: (wish, signal, onProgress) => run(cutoutIn(dir, wish), signal, onProgress),
    async close() {
      await host.close();
      rmSync(dir, { recursive: true, force: true, maxRetries: 3 });
    },
  };
}

async function encoded(picture: Pixels | Sharp | Uint8Array): Promise<Uint8Array> {
  if (picture instanceof Uint8Array) return picture;
  return 'data' in picture ? asSharp(picture).png().toBuffer() : picture.toBuffer();
}
