/** A real engine process over a folder of its own, and jobs for it. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Sharp } from 'sharp';
import {
  createEngineHost,
  type EngineHost,
  type EngineHostOptions,
} from '../../electron/engine/host/host.ts';
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
import { madeSpeed, shippedSpeed, writeRemover, writeUpscaler } from './measured-data.ts';
import { nearestNetwork, toldNetwork } from './networks-made.ts';
import { brightNetwork } from './networks-masks.ts';
import { embeddedNetworks } from './networks.ts';
import { engineProgram } from './programs.ts';
import { temporaryFolder } from './temporary-folder.ts';

export interface TestEngine {
  readonly dir: string;
  readonly host: EngineHost;
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

/** An engine of a file's own. */
export function createTestEngine(options: Partial<EngineHostOptions> = {}): TestEngine {
  const dir = temporaryFolder();
  const host = startHost(join(dir, 'cache'), options);
  return testEngineIn(dir, host, () => host.close());
}

/** What the networks of most cut-outs see of a picture. */
export const cutoutSize = { kind: 'fixed', width: 200, height: 150 } as const;

let sharedHost: EngineHost | undefined;

/**
 * The engine of all files of a process of tests, for those that look at results alone: to start one, and to compile what
 * a first cut-out needs, takes as much as ten more cut-outs. Its devices and speeds are those that other files left.
 */
export function sharedTestEngine(): TestEngine {
  sharedHost ??= startSharedHost();
  return testEngineIn(temporaryFolder(), sharedHost, () => Promise.resolve());
}

function startSharedHost(): EngineHost {
  const cacheDir = mkdtempSync(join(tmpdir(), 'enlarger-test-engine-'));
  process.once('exit', () => rmSync(cacheDir, { recursive: true, force: true }));
  writeSpeeds(cacheDir);
  return startHost(cacheDir);
}

/** Of networks that many files run: an engine that does not know them measures them whenever it has nothing to do. */
function writeSpeeds(cacheDir: string): void {
  const folder = join(cacheDir, 'networks');
  for (const made of [nearestNetwork(folder), toldNetwork(folder)])
    writeUpscaler(cacheDir, made, madeSpeed);
  for (const shipped of embeddedNetworks()) writeUpscaler(cacheDir, shipped, shippedSpeed);
  writeRemover(cacheDir, brightNetwork(folder, { size: cutoutSize }));
}

const startHost = (cacheDir: string, options: Partial<EngineHostOptions> = {}): EngineHost =>
  createEngineHost({
    nodePath: process.execPath,
    enginePath: engineProgram,
    cacheDir,
    log: () => undefined,
    ...options,
  });

function testEngineIn(dir: string, host: EngineHost, end: () => Promise<void>): TestEngine {
  let files = 0;
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
      await end();
      rmSync(dir, { recursive: true, force: true, maxRetries: 3 });
    },
  };
}

async function encoded(picture: Pixels | Sharp | Uint8Array): Promise<Uint8Array> {
  if (picture instanceof Uint8Array) return picture;
  return 'data' in picture ? asSharp(picture).png().toBuffer() : picture.toBuffer();
}
