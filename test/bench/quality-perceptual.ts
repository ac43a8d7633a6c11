/**
 * What a person would see beside PSNR, of every network that ships and of the shared ones: similarity of an encoder's
 * features, of gradients, naturalness (NIQE) and the energy of high frequencies that is left.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, globSync } from 'node:fs';
import { join } from 'node:path';
import type { NetworkFile } from '../../electron/engine/protocol/messages.ts';
import { readPixels, type Pixels } from '../support/images.ts';
import { openFeatureComparison } from '../support/perceptual/feature-similarity.ts';
import { gradientDeviation } from '../support/perceptual/gradient-similarity.ts';
import {
  createNaturalnessFit,
  naturalnessDistance,
  type NaturalnessModel,
} from '../support/perceptual/naturalness.ts';
import { croppedTo, lumaPlane, meanOf } from '../support/perceptual/plane.ts';
import { networks as shared, photographs } from '../support/shared.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { printTable } from './bench-pictures.ts';
import { enlargersIn } from './brought-networks.ts';
import { opened } from './quality-crops.ts';
import { bicubic, fineEnergy, psnrOfLuma } from './quality-measures.ts';

interface MeasuredPair {
  scale: number;
  small: string;
  large: string;
}

interface Scores {
  psnr: number;
  features: number;
  gradients: number;
  naturalness: number;
  fine: number;
}

type Enlarge = (file: string, network: NetworkFile) => Promise<Pixels>;
/** Writes the pair's small picture as it is to be enlarged, and returns its path. */
type Prepare = (small: Pixels) => Promise<string>;

/** The ONNX files of the shared archive, or one of them; the ncnn ones in it hold the same weights. */
export async function sharedNetworks(member = 'onnx'): Promise<NetworkFile[]> {
  if (!existsSync(shared.archive)) {
    process.stderr.write('Without the shared archive only the networks that ship are measured.\n');
    return [];
  }
  const folder = temporaryFolder();
  execFileSync('tar', ['xJf', shared.archive, '-C', folder, member]);
  return await enlargersIn(join(folder, 'onnx'));
}

/** Every third of the shared photographs, which are sharp at 100 %: 2,000 patches and more for 36 features. */
const fittedShare = 3;

async function naturalnessModel(): Promise<NaturalnessModel | undefined> {
  const names = existsSync(photographs) ? globSync('*.jpg', { cwd: photographs }).toSorted() : [];
  if (names.length === 0) {
    process.stderr.write('Without the shared photographs naturalness is not measured.\n');
    return undefined;
  }
  const fit = createNaturalnessFit();
  for (const name of names.filter((_, i) => i % fittedShare === 0))
    fit.add(lumaPlane(await opened(join(photographs, name))));
  return fit.model();
}

/** Prints a row for each network and scale, for bicubic interpolation and for the truths themselves. */
export async function measurePerceptual(
  pairs: readonly MeasuredPair[],
  shipped: readonly NetworkFile[],
  enlarge: Enlarge,
  prepare: Prepare,
): Promise<void> {
  const model = await naturalnessModel();
  const comparison = await openFeatureComparison();
  const networks = [...shipped, ...(await sharedNetworks())];
  const rows: string[][] = [];
  for (const scale of [...new Set(pairs.map((pair) => pair.scale))].toSorted((a, b) => a - b)) {
    const all = new Map<string, Scores[]>();
    for (const { small, large } of pairs.filter((pair) => pair.scale === scale)) {
      const file = await prepare(await readPixels(small));
      const results = new Map([['bicubic', bicubic(await readPixels(file), scale)]]);
      for (const network of networks.filter((one) => one.scale === scale))
        results.set(network.modelId, await enlarge(file, network));
      for (const [name, result] of results) {
        const truth = croppedTo(await readPixels(large), result);
        const scores = {
          psnr: psnrOfLuma(result, truth, scale),
          features: await comparison.distance(result, truth),
          gradients: gradientDeviation(result, truth),
          naturalness: model ? naturalnessDistance(lumaPlane(result), model) : NaN,
          fine: fineEnergy(result) / fineEnergy(truth),
        };
        all.set(name, [...(all.get(name) ?? []), scores]);
        if (name === 'bicubic' && model) {
          const own = naturalnessDistance(lumaPlane(truth), model);
          const exact = { psnr: Infinity, features: 0, gradients: 0, naturalness: own, fine: 1 };
          all.set('the truth', [...(all.get('the truth') ?? []), exact]);
        }
      }
    }
    for (const [name, scores] of all) {
      rows.push([`${scale}x`, name, ...meansOf(scores), String(scores.length)]);
      process.stderr.write(`${rows.at(-1)?.join('  ') ?? ''}\n`);
    }
  }
  await comparison.close();
  printTable(
    ['scale', 'network', 'PSNR', 'features', 'gradients', 'NIQE', 'high frequencies', 'pictures'],
    rows,
  );
}

function meansOf(scores: readonly Scores[]): string[] {
  const mean = (of: keyof Scores) => meanOf(scores.map((one) => one[of]));
  return [
    mean('psnr').toFixed(2),
    mean('features').toFixed(3),
    mean('gradients').toFixed(3),
    mean('naturalness').toFixed(2),
    mean('fine').toFixed(2),
  ];
}
