/** A mask network in this process, over pictures as the engine reads them. */
import { createHash } from 'node:crypto';
import { rmSync } from 'node:fs';
import type { Precision } from '../../packages/contract/src/models/model.ts';
import { findMask, type MaskInference } from '../../electron/engine/jobs/cutout/mask/find-mask.ts';
import { maskOf, type FeatureTensor, type Mask } from '../../electron/engine/tiles/mask-tensor.ts';
import { deviceName } from '../../electron/engine/plan/device-registry.ts';
import type { Stroke } from '../../packages/contract/src/options/strokes.ts';
import {
  defaultThreads,
  processorHere,
} from '../../electron/engine/inference/measuring/processor.ts';
import { openClickSession } from '../../electron/engine/inference/sessions/click-session.ts';
import { openSession } from '../../electron/engine/inference/sessions/session.ts';
import type { MaskNetworkFile } from '../../electron/engine/protocol/messages.ts';
import { decode } from '../../packages/photo-files/src/decode.ts';
import { inspect } from '../../packages/photo-files/src/inspect.ts';
import { openRaster, type Raster } from '../../electron/engine/raster/raster-file.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

export interface FoundMask {
  mask: Mask;
  /** What the network gave of the whole picture, as it gave it. */
  atFirst: Mask;
  /** The same as the product has it. */
  rawMask: Mask;
  likeness?: number;
  /** Upright, in its own numbers. */
  source: Raster;
  scratchDir: string;
}

/** Finds a picture's mask and hands it over; its raster is there as long as `use` runs. */
export type FindMask = <T>(
  path: string,
  use: (found: FoundMask) => Promise<T>,
  strokes?: readonly Stroke[],
) => Promise<T>;

const copied = (tensors: readonly FeatureTensor[]): FeatureTensor[] =>
  tensors.map(({ dims, data }) => ({ dims, data: data.slice() }));

const digestOf = (values: Float32Array | undefined) =>
  createHash('sha256')
    .update(values ?? new Float32Array())
    .digest('hex');

const limits = { sourcePixels: 400e6, resultPixels: 16e9 };
const { signal } = new AbortController();

export async function withMaskSession<T>(
  network: MaskNetworkFile,
  precision: Precision,
  work: (find: FindMask) => Promise<T>,
): Promise<T> {
  const session = await openSession(network, precision, 'cpu');
  const device = { provider: 'cpu', name: deviceName('cpu'), precision };
  const threads = defaultThreads(processorHere());
  const clicks = network.clicks && (await openClickSession(network.clicks, threads));
  /** Further clicks on a picture take the features of its earlier runs, as the product does. */
  let lastRuns = { path: '', outputs: new Map<string, Promise<FeatureTensor[]>>() };
  /** With each further click all before it are asked again: their answers are those of before. */
  let lastClicks = { path: '', answers: new Map<string, Promise<Mask>>() };
  // Parts of a picture, for boxes, come after the whole of it and ask for no features.
  const inferenceKeeping = (path: string, masks: Mask[]): MaskInference => ({
    async runMask({ tensor, width, height, withFeatures }) {
      const names = withFeatures === true ? (network.clicks?.features ?? []) : [];
      if (lastRuns.path !== path) lastRuns = { path, outputs: new Map() };
      const shown = `${names.length} ${digestOf(tensor)}`;
      const outputs =
        lastRuns.outputs.get(shown) ?? session.runFor(names, tensor, width, height).then(copied);
      lastRuns.outputs.set(shown, outputs);
      const [output, ...features] = await outputs;
      if (!output) throw new Error('The network gave no mask.');
      const mask = maskOf(output.data, network, { width, height });
      masks.push(mask);
      return { mask, features, provider: 'cpu', device, notes: [] };
    },
    runClicks(request) {
      if (!clicks) throw new Error('It takes no clicks.');
      if (lastClicks.path !== path) lastClicks = { path, answers: new Map() };
      // Hints of a part of the picture are answered by that part's features.
      const asked = digestOf(request.hints) + digestOf(request.features[0]?.data);
      const answer = lastClicks.answers.get(asked) ?? clicks.run(request);
      lastClicks.answers.set(asked, answer);
      return answer;
    },
    encodePicture: () => Promise.reject(new Error('It has no encoder.')),
    answerPrompts: () => Promise.reject(new Error('It takes no prompts.')),
  });
  const find: FindMask = async (path, use, strokes = []) => {
    const scratchDir = temporaryFolder();
    try {
      const inspected = await inspect(path, limits);
      const { path: rasterPath } = await decode(path, inspected, scratchDir);
      const source = openRaster(rasterPath);
      const asked = { network, device: 'cpu', scratchDir, strokes } as const;
      const picture = { raster: source, icc: inspected.metadata.icc };
      const masks: Mask[] = [];
      const told = await findMask(asked, picture, inferenceKeeping(path, masks), { signal });
      const found = { ...told, atFirst: masks[0] ?? told.mask, source, scratchDir };
      return await use(found).finally(() => source.close());
    } finally {
      rmSync(scratchDir, { recursive: true, force: true });
    }
  };
  try {
    return await work(find);
  } finally {
    await clicks?.close();
    await session.close();
  }
}
