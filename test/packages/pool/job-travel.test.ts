import { describe, expect, it } from 'vitest';
import {
  requestOf,
  canTravel,
  jobOf,
  type NetworkFiles,
} from '../../../packages/pool/src/job-travel.ts';
import { modelsOf } from '../../../packages/pool/src/skills.ts';
import { JobRequest, readMessage } from '../../../packages/pool/src/messages.ts';
import type {
  CutoutJob,
  MaskNetworkFile,
  NetworkFile,
  UpscaleJob,
} from '../../../electron/engine/protocol/messages.ts';
import { embeddedNetwork } from '../../support/networks.ts';
import { shippedMaskNetworks } from '../../support/networks-masks.ts';

const upscaler: NetworkFile = embeddedNetwork(2);
const remover = shippedMaskNetworks()[0] as MaskNetworkFile;
const networks: NetworkFiles = {
  network: () => Promise.resolve(upscaler),
  maskNetwork: () => Promise.resolve(remover),
};
const views = {} as Parameters<typeof jobOf>[1]['views'];
const places = {
  jobId: 'a-1',
  sourcePath: '/a',
  scratchDir: '/b',
  outputPath: '/c',
  thumbPath: '/d',
  views,
};
const settings = {
  maxSourcePixels: 1e6,
  maxResultPixels: 1e8,
  device: 'cpu',
  keepAliveMinutes: 2,
} as const;
const frame = {
  ...places,
  format: 'png',
  formatChosen: true,
  quality: 80,
  bitDepth: 16,
  metadata: 'private',
  ppi: 240,
  history: 'Enlarger 1.0.0',
  limits: { sourcePixels: 1e6, resultPixels: 1e8 },
  device: 'cpu',
  keepAliveMs: 120_000,
} as const;

/** As it is on the other machine, which reads it from JSON. */
function arrived(job: UpscaleJob | CutoutJob) {
  const sent: unknown = JSON.parse(JSON.stringify(requestOf(job)));
  const asked = readMessage(JobRequest, sent);
  expect(asked).toBeDefined();
  return jobOf(asked as JobRequest, places, settings, networks);
}

describe('a job that goes to another machine', () => {
  it('loses nothing of an enlarging', async () => {
    const job: UpscaleJob = {
      ...frame,
      operation: 'upscale',
      passes: [upscaler],
      choices: [[upscaler]],
      target: { kind: 'longEdge', value: 3000 },
      sharpen: 20,
      restore: 70,
      grain: 'auto',
      keep: 'faithful',
    };
    expect(await arrived(job)).toEqual(job);
  });

  it('loses nothing of a cut-out', async () => {
    const job: CutoutJob = {
      ...frame,
      operation: 'remove-bg',
      network: remover,
      background: '#ffffff',
      crop: 10,
      maskOnly: false,
      strokes: [{ kind: 'remove', radius: 0.05, points: [[0.2, 0.1]] }],
      feather: 12,
      decontaminate: 30,
      shadow: 40,
      canvas: { width: 900, height: 600 },
      subjectScale: 80,
      position: { x: 50, y: 100 },
      target: { kind: 'width', value: 500 },
    };
    expect(await arrived(job)).toEqual(job);
    expect(canTravel(job)).toBe(true);
    const both: CutoutJob = {
      ...job,
      enlarge: {
        passes: [upscaler],
        choices: [[upscaler]],
        first: 'cutout',
        target: { kind: 'megapixels', value: 24 },
        sharpen: 20,
        keep: 'faithful',
      },
    };
    expect(await arrived(both)).toEqual(both);
    expect(modelsOf(both)).toEqual(['natural', 'cutout']);
    // A second picture is not sent.
    expect(canTravel({ ...job, backgroundPath: '/e' })).toBe(false);
  });
});
