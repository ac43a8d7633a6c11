/**
 * Whether a mask network that a person imports is as good and as fast in the product as by itself: what the import
 * found and how long it took, then max F, MAE and seconds of both on the measured sets, picture by picture in turn. Both
 * write the cut-out of each picture, and its alpha is what is measured.
 * `npm run bench:cutout-imported -- FILE.onnx [EVERY] [FOLDER]`: EVERY 3 takes every third picture; masks and seconds
 * are kept in FOLDER, and those that are there already are not made again.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import sharp from 'sharp';
import { EnlargerError } from '../../packages/contract/src/errors.ts';
import { importNetwork } from '../../electron/engine/host/import-host.ts';
import type { Mask } from '../../electron/engine/tiles/mask-tensor.ts';
import { createTestEngine, type TestEngine } from '../support/engine.ts';
import { maskNetworkFromFile } from '../support/networks-masks.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { printTable } from './bench-pictures.ts';
import { openBareCutter } from './cutout-bare.ts';
import { maskScoresOn } from './cutout-scores.ts';

const [file, every = '1', keepIn = temporaryFolder()] = process.argv.slice(2);
if (file === undefined) throw new Error('Expected the file of a mask network.');
const measure = join(import.meta.dirname, '../../../shared/benchmark/cutout/measure');
if (!existsSync(measure)) throw new Error(`Expected pictures with masks: ${measure} is not there.`);

const importedFrom = performance.now();
const imported = await importNetwork(
  {
    nodePath: process.execPath,
    enginePath: join(import.meta.dirname, '../../electron/engine/main.ts'),
  },
  { files: [{ name: 'network.onnx', path: resolve(file) }], toFolder: temporaryFolder() },
  new AbortController().signal,
);
const importSeconds = (performance.now() - importedFrom) / 1000;
if (imported.task !== 'remove-bg') throw new Error('It is no network that makes masks.');
const { contract, origin } = imported;
process.stdout.write(`Imported in ${importSeconds.toFixed(0)} s: ${JSON.stringify(contract)}\n`);
process.stdout.write(`${origin.notes.join('\n')}\n`);
const network = { ...maskNetworkFromFile(imported.file.path, contract), modelId: 'imported' };
delete network.tuning;

type CutOut = (path: string) => Promise<Mask>;

async function readMask(path: string, channel: 'alpha' | 'red'): Promise<Mask> {
  const { data, info } = await sharp(path)
    .extractChannel(channel)
    .raw()
    .toBuffer({ resolveWithObject: true });
  const { width, height } = info;
  return { width, height, data: Float32Array.from(data, (value) => value / 255) };
}

/** A picture in which no subject is found has an empty mask. */
const inEnlarger =
  (engine: TestEngine): CutOut =>
  async (path) => {
    try {
      const { outputPath, report } = await engine.cutOut({ sourcePath: path, network });
      process.stderr.write(`${JSON.stringify(report.timings)}\n`);
      const alpha = await readMask(outputPath, 'alpha');
      rmSync(outputPath);
      return alpha;
    } catch (error) {
      if (!(error instanceof EnlargerError) || error.code !== 'NO_SUBJECT') throw error;
      process.stderr.write(`${path}: ${error.message}\n`);
      const { width, height } = await sharp(path).metadata();
      return { width, height, data: new Float32Array(width * height) };
    }
  };

const engine = createTestEngine();
const bare = await openBareCutter(imported.file.path, contract);
const ways: [string, CutOut][] = [
  ['bare', (path) => bare.cutOut(path, join(engine.dir, 'bare.png'))],
  ['in Enlarger', inEnlarger(engine)],
];

/** Takes the mask from `keepIn` if it is there; else cuts the picture out and keeps the mask. */
async function maskAndSeconds(
  way: string,
  cutOut: CutOut,
  path: string,
): Promise<{ mask: Mask; seconds: number }> {
  const kept = join(keepIn, `${way}-${basename(path)}`);
  if (existsSync(`${kept}.txt`)) {
    const mask = await readMask(`${kept}.png`, 'red');
    return { mask, seconds: Number(readFileSync(`${kept}.txt`, 'utf8')) };
  }
  const from = performance.now();
  const mask = await cutOut(path);
  const seconds = (performance.now() - from) / 1000;
  const { width, height, data } = mask;
  const grey = Uint8Array.from(data, (value) => Math.round(255 * value));
  await sharp(grey, { raw: { width, height, channels: 1 } })
    .png()
    .toFile(`${kept}.png`);
  writeFileSync(`${kept}.txt`, String(seconds));
  return { mask, seconds };
}

async function compareOn(set: string): Promise<string[][]> {
  const folder = join(measure, set);
  const masks = ways.map(() => new Map<string, Mask>());
  const seconds = ways.map((): number[] => []);
  const names = readdirSync(join(folder, 'image')).toSorted();
  for (const name of names.filter((_, i) => i % Number(every) === 0)) {
    const path = join(folder, 'image', name);
    for (const [i, [way, cutOut]] of ways.entries()) {
      const made = await maskAndSeconds(way, cutOut, path);
      masks[i]?.set(name, made.mask);
      seconds[i]?.push(made.seconds);
    }
    const times = seconds.map((all) => all.at(-1)?.toFixed(2)).join(' ');
    process.stderr.write(`${set} ${name}: ${times} s\n`);
  }
  const rows: string[][] = [];
  for (const [i, [way]] of ways.entries()) {
    const found = masks[i] ?? new Map<string, Mask>();
    const { maxF, mae, below } = await maskScoresOn(folder, found);
    const median = seconds[i]?.toSorted((a, b) => a - b)[(found.size - 1) >> 1] ?? NaN;
    const figures = [maxF.toFixed(3), mae.toFixed(3), String(below), median.toFixed(2)];
    rows.push([set, way, String(found.size), ...figures]);
  }
  return rows;
}

mkdirSync(keepIn, { recursive: true });
// Loads the network in both.
for (const [, cutOut] of ways)
  await cutOut(join(import.meta.dirname, '../../renderer/pictures/lantern.jpg'));
const rows: string[][] = [];
for (const set of ['ecssd', 'pascal-s']) {
  const found = await compareOn(set);
  process.stderr.write(`${found.map((row) => row.join(' ')).join('\n')}\n`);
  rows.push(...found);
}
printTable(['set', 'network', 'pictures', 'max F', 'MAE', 'IoU below 0.8', 'median s'], rows);
await bare.close();
await engine.close();
process.exit();
