/**
 * What comes out of ordinary photos, held against bicubic interpolation: PSNR on the luma (BT.601) of every installed
 * model, a border of `scale` pixels cut, on pairs NAME_HR.png and NAME_LR.png that are damaged first; and how much
 * of a texture's high frequencies is left, with a sheet to look at, on crops of photographs.
 * `node test/bench/quality.ts [FOLDER]` with one folder for each scale, x2 and x4, inside each set; without one
 * the shared pictures. `--textures`, `--sheet`, `--detail` and `--signs` (needs tesseract) leave the pairs out, `--damage WORDS` takes those alone that hold them.
 * `--perceptual` measures clean pairs (or those with `--damage`) by what people see, with the shared networks beside ours.
 * Each model is told what is measured of a picture, as in a task. Exit code 1: Natural lies below what it must reach.
 */
import { existsSync, globSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { parseArgs } from 'node:util';
import type { NetworkFile } from '../../electron/engine/protocol/messages.ts';
import { createTestEngine } from '../support/engine.ts';
import { readPixels, type Pixels } from '../support/images.ts';
import { embeddedNetworks } from '../support/networks.ts';
import { enlargingPairs } from '../support/shared.ts';
import { printTable } from './bench-pictures.ts';
import { damagedFile, damageKinds, type DamageKind } from './quality-damage.ts';
import { drawDetail, type Column } from './quality-detail.ts';
import { bicubic, psnrOfLuma } from './quality-measures.ts';
import { measurePerceptual, sharedNetworks } from './quality-perceptual.ts';
import { drawOrdinary } from './quality-sheet.ts';
import { measureSigns } from './quality-signs.ts';
import { measureTextures } from './quality-textures.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

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

const { values: told, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    textures: { type: 'boolean' },
    sheet: { type: 'boolean' },
    detail: { type: 'boolean' },
    signs: { type: 'boolean' },
    perceptual: { type: 'boolean' },
    damage: { type: 'string', default: '' },
  },
});
const isPart = [told.textures, told.sheet, told.detail, told.signs, told.perceptual].includes(true);
const folder = positionals[0] ?? enlargingPairs;
if (!existsSync(folder)) throw new Error('Expected a folder of NAME_HR.png and NAME_LR.png pairs');
const engine = createTestEngine();
const scratch = temporaryFolder();
const networks = embeddedNetworks().filter(({ scale }) => scale > 1);
const models = [...new Set(networks.map(({ modelId }) => modelId))];

async function enlarged(file: string, network: NetworkFile, detail = 100): Promise<Pixels> {
  const { outputPath } = await engine.run({
    sourcePath: file,
    passes: [network],
    detail,
    format: 'png',
    formatChosen: true,
  });
  return readPixels(outputPath);
}

/** PSNR of bicubic interpolation and of each model, in that order. */
async function scoresOf(pair: Pair, kind: DamageKind): Promise<number[]> {
  const { scale, small, large } = pair;
  const truth = await readPixels(large);
  const file = join(scratch, `picture.${kind.jpegQuality === undefined ? 'png' : 'jpg'}`);
  writeFileSync(file, await damagedFile(await readPixels(small), kind));
  const scores = [psnrOfLuma(bicubic(await readPixels(file), scale), truth, scale)];
  for (const model of models) {
    const network = networks.find((one) => one.modelId === model && one.scale === scale);
    scores.push(network ? psnrOfLuma(await enlarged(file, network), truth, scale) : NaN);
  }
  return scores;
}

/** How far Natural lies above the better of the others, or above Faithful alone where nothing was damaged. */
function gainOf([, ...byModel]: readonly number[], { name }: DamageKind): number {
  const score = (model: string) => byModel[models.indexOf(model)] ?? NaN;
  const others = name === 'clean' ? ['faithful'] : ['faithful', 'restore'];
  return score('natural') - Math.max(...others.map(score));
}

/** Natural and Detail are the first columns. */
const ownColumns = 3;

/** Natural, Detail at half its strength and whole, and the shared network that looks sharpest. */
async function detailColumns(): Promise<Column[]> {
  const ours = (id: string) =>
    networks.filter(({ modelId, scale }) => modelId === id && scale === 4);
  const column = (name: string, network: NetworkFile, detail?: number) => ({
    name,
    enlarge: (file: string) => enlarged(file, network, detail),
  });
  return [
    ...ours('natural').map((network) => column('natural', network)),
    ...ours('detail').flatMap((network) => [
      column('detail 50', network, 50),
      column('detail 100', network),
    ]),
    ...(await sharedNetworks('onnx/realesr-general-x4v3.onnx')).map((network) =>
      column(network.modelId, network),
    ),
  ];
}

const pairs = isPart ? [] : pairsIn(folder);
const kinds = damageKinds.filter(({ name }) => name.includes(told.damage));
const rows: string[][] = [];
for (const set of [...new Set(pairs.map((pair) => pair.set))].toSorted()) {
  const own = pairs.filter((pair) => pair.set === set);
  for (const kind of kinds) {
    const all: number[][] = [];
    for (const pair of own) all.push(await scoresOf(pair, kind));
    const means = ['bicubic', ...models].map(
      (_, i) => all.reduce((sum, scores) => sum + (scores[i] ?? NaN), 0) / all.length,
    );
    const gain = gainOf(means, kind);
    const must = kind.must[own[0]?.scale ?? 0] ?? NaN;
    const shown = [...means, gain, must].map((value) => value.toFixed(2));
    rows.push([set, kind.name, String(own.length), ...shown, gain < must ? 'below' : '']);
    process.stderr.write(`${rows.at(-1)?.join('  ') ?? ''}\n`);
  }
}
if (rows.length > 0)
  printTable(
    ['set', 'damage', 'pictures', 'bicubic', ...models, 'gain', 'must', 'is it reached'],
    rows,
  );
if (told.perceptual) {
  const [kind] = kinds;
  if (!kind) throw new Error(`Expected words of a kind of damage but received ${told.damage}`);
  await measurePerceptual(pairsIn(folder), networks, enlarged, async (small) => {
    const file = join(scratch, `seen.${kind.jpegQuality === undefined ? 'png' : 'jpg'}`);
    writeFileSync(file, await damagedFile(small, kind));
    return file;
  });
}
const isWhole = !isPart && told.damage === '';
if (isWhole || told.textures) await measureTextures(networks, models, enlarged, scratch);
if (isWhole || told.sheet) await drawOrdinary(networks, models, enlarged, scratch);
if (told.detail) await drawDetail(await detailColumns(), scratch);
if (told.signs && !(await measureSigns(await detailColumns(), ownColumns, scratch)))
  process.exitCode = 1;
await engine.close();
if (rows.some((row) => row.at(-1) === 'below')) process.exitCode = 1;
