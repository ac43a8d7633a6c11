/**
 * PSNR on the luma (BT.601) of every installed model, a border of `scale` pixels cut, on pairs
 * NAME_HR.png and NAME_LR.png.
 * `node test/bench/quality.ts FOLDER` with one folder for each scale, x2 and x4, inside each set.
 */
import { existsSync, globSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import type { NetworkFile } from '../../electron/engine/protocol.ts';
import { createTestEngine } from '../support/engine.ts';
import { readPixels, type Pixels } from '../support/images.ts';
import { embeddedNetworks } from '../support/networks.ts';
import { printTable } from './bench-pictures.ts';

interface Pair {
  set: string;
  scale: number;
  small: string;
  large: string;
}

/** The large picture of a small one: beside it, or, where sets share them, in the folder of 2x. */
function largeOf(small: string): string | undefined {
  const beside = small.replace(/_LR\.png$/, '_HR.png');
  const shared = beside.replace(/([/\\]x)\d+(?=[/\\])/, '$12').replace(/SRF_\d+/, 'SRF_2');
  return [beside, shared].find((path) => existsSync(path));
}

/** Pairs whose path names their scale: `x2`, `SRF_2`. */
function pairsIn(folder: string): Pair[] {
  return globSync('**/*_LR.png', { cwd: folder }).flatMap((name) => {
    const scale = Number(/(?:SRF_|x)(\d+)/.exec(name)?.[1]);
    const small = join(folder, name);
    const large = largeOf(small);
    const set = relative(folder, dirname(small)) || basename(folder);
    return scale && large ? [{ set, scale, small, large }] : [];
  });
}

/** BT.601 luma, 16..235, as published tables use it. */
function lumaOf({ data, channels }: Pixels, at: number): number {
  const [r = 0, g = 0, b = 0] = [0, 1, 2].map((c) => data[at * channels + (channels < 3 ? 0 : c)]);
  return 16 + (65.481 * r + 128.553 * g + 24.966 * b) / 255;
}

function psnrOfLuma(a: Pixels, b: Pixels, border: number): number {
  const width = Math.min(a.width, b.width);
  const height = Math.min(a.height, b.height);
  let sum = 0;
  for (let y = border; y < height - border; y += 1) {
    for (let x = border; x < width - border; x += 1) {
      sum += (lumaOf(a, y * a.width + x) - lumaOf(b, y * b.width + x)) ** 2;
    }
  }
  const mean = sum / ((width - 2 * border) * (height - 2 * border));
  return 10 * Math.log10(255 ** 2 / mean);
}

/** One variant at a time: fp32 alone, and each other as if it were the only one. */
const variantsOf = (network: NetworkFile): NetworkFile[] =>
  network.variants
    .filter((variant) => variant.precision !== 'fp16')
    .map((variant) => ({ ...network, variants: [{ ...variant, precision: 'fp32' }] }));

const [folder] = process.argv.slice(2);
if (folder === undefined) throw new Error('Expected a folder of NAME_HR.png and NAME_LR.png pairs');
const engine = createTestEngine();
const pairs = pairsIn(folder);
const rows: string[][] = [];
for (const network of embeddedNetworks()) {
  for (const [i, single] of variantsOf(network).entries()) {
    for (const set of new Set(pairs.map((pair) => pair.set))) {
      const own = pairs.filter((pair) => pair.set === set && pair.scale === network.scale);
      if (own.length === 0) continue;
      const [warmUp] = own;
      if (warmUp) await engine.run({ sourcePath: warmUp.small, passes: [single] });
      let psnr = 0;
      let pixels = 0;
      let ms = 0;
      for (const { small, large } of own) {
        const { report, outputPath } = await engine.run({ sourcePath: small, passes: [single] });
        psnr += psnrOfLuma(await readPixels(outputPath), await readPixels(large), network.scale);
        pixels += report.input.width * report.input.height;
        ms += report.timings.networkMs ?? 0;
      }
      const name = `${network.modelId} x${network.scale}`;
      const precision = network.variants.filter((v) => v.precision !== 'fp16')[i]?.precision ?? '';
      const mean = (psnr / own.length).toFixed(2);
      rows.push([name, precision, set, String(own.length), mean, (pixels / ms / 1000).toFixed(2)]);
    }
  }
}
await engine.close();
printTable(['network', 'precision', 'set', 'pictures', 'PSNR-Y, dB', 'MP/s of input'], rows);
