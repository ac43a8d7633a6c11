/**
 * A sheet of cut-outs to look at: each photograph, and its cut-out on black, white and green, with
 * a detail of its edge at 100 % below. `node test/bench/cutout-sheet.ts [SHARED]`, or
 * `node test/bench/cutout-sheet.ts PICTURE...`; without pictures twenty of SHARED, `../shared` by
 * default. Writes test-results/cutout-sheet.png, and the cut-outs into test-results/cutouts.
 * With `--touched` what cutout-strokes.json holds is painted over the pictures that it names. `--products` takes ten
 * photographs as shops have them instead: people, hair, glass, white on white (test-results/cutout-products.png).
 * `--beside FILE.onnx` imports a mask network and sets its cut-out of each to the right of ours.
 */
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import sharp, { type OverlayOptions, type Sharp } from 'sharp';
import { root, startProgram } from '../support/program.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const { values, positionals } = parseArgs({
  options: {
    touched: { type: 'boolean', default: false },
    products: { type: 'boolean', default: false },
    beside: { type: 'string' },
  },
  allowPositionals: true,
});

const cellPx = 300;
const gapPx = 6;
const columns = 4;
const sheetGrey = '#808080';
const behind = ['#000000', '#ffffff', '#00b140'];
const results = path.join(root, 'test-results');

/** Photographs with a subject; the measured sets give the rest of the twenty. */
const photographs = [
  'Desk-Plants.jpg',
  'Jairo-Alzate.jpg',
  'Living-Stones.jpg',
  'Martin-Adams.jpg',
  'Musca_domestica.jpg',
  'Paweł-Czerwiński-Giraffe.jpg',
  'Water-Lily.jpg',
  'galen-crout-175291.jpg',
  'william-bout-lighthouse.jpg',
];

/** Of `photographs-2`: glass, people and hair, white on white, a toy and a telephone. */
const products = [
  ...['0340', '0333', '0361', '0024', '0011'],
  ...['0586', '0579', '0581', '0037', '0598'],
];

const tenProducts = (shared: string): string[] =>
  products
    .map((name) => path.join(shared, 'photographs-2', `${name}.jpg`))
    .filter((file) => existsSync(file));

function twentyOf(shared: string): string[] {
  const some = (set: string, count: number) => {
    const folder = path.join(shared, 'benchmark/cutout/measure', set, 'image');
    if (!existsSync(folder)) return [];
    const every = (_: string, i: number) => i % 11 === 3;
    const names = readdirSync(folder).toSorted().filter(every).slice(0, count);
    return names.map((name) => path.join(folder, name));
  };
  const own = photographs.map((name) => path.join(shared, 'photographs', name));
  return [...own.filter((file) => existsSync(file)), ...some('ecssd', 6), ...some('pascal-s', 5)];
}

const picturesFrom = (given: string[]): string[] => {
  const [first] = given;
  if (first !== undefined && !statSync(first).isDirectory()) return given;
  const shared = path.resolve(first ?? path.join(root, '../shared'));
  return values.products ? tenProducts(shared) : twentyOf(shared);
};

/** The square of the cut-out that holds the most of half-transparent pixels, at 100 %. */
async function edgeOf(file: string): Promise<{ left: number; top: number; side: number }> {
  const { data, info } = await sharp(file)
    .extractChannel('alpha')
    .raw({ depth: 'uchar' })
    .toBuffer({ resolveWithObject: true });
  const { width, height } = info;
  const side = Math.min(cellPx, width, height);
  let best = { left: 0, top: 0, side, soft: -1 };
  const stepPx = Math.max(16, Math.round(Math.min(width, height) / 40));
  for (let top = 0; top + side <= height; top += stepPx) {
    for (let left = 0; left + side <= width; left += stepPx) {
      let soft = 0;
      for (let y = top; y < top + side; y += 4) {
        for (let x = left; x < left + side; x += 4) {
          const alpha = data[y * width + x] as number;
          if (alpha > 25 && alpha < 230) soft += 1;
        }
      }
      if (soft > best.soft) best = { left, top, side, soft };
    }
  }
  return best;
}

const inCell = (picture: Sharp) =>
  picture
    .resize(cellPx, cellPx, { fit: 'contain', background: sheetGrey })
    .removeAlpha()
    .png()
    .toBuffer();

async function cellsOf(source: string, cutout: string): Promise<Buffer[]> {
  const whole = [inCell(sharp(source).rotate())];
  const { left, top, side } = await edgeOf(cutout);
  const square = { left, top, width: side, height: side };
  const upright = await sharp(source).rotate().toBuffer();
  const detail = [inCell(sharp(upright).extract(square))];
  for (const colour of behind) {
    whole.push(inCell(sharp(await sharp(cutout).flatten({ background: colour }).toBuffer())));
    const cut = await sharp(cutout).extract(square).flatten({ background: colour }).toBuffer();
    detail.push(inCell(sharp(cut)));
  }
  return Promise.all([...whole, ...detail]);
}

const sources = picturesFrom(positionals);
if (sources.length === 0) throw new Error('Expected pictures to cut out, found none.');
const folder = path.join(results, 'cutouts');
rmSync(folder, { recursive: true, force: true });
mkdirSync(folder, { recursive: true });
const launcher = path.join(root, 'electron/launch.mjs');
const dataDir = ['--data-dir', temporaryFolder()];
const options = ['--format', 'png', '--name', '{name}.{ext}', ...dataDir];
const nameOf = (source: string) => path.parse(source).name;

async function enlarger(...words: string[]): Promise<void> {
  const { stderr } = await startProgram(process.execPath, [launcher, ...words]).ended;
  process.stderr.write(stderr);
}

async function cutOut(pictures: string[], more: string[] = [], out = folder): Promise<void> {
  if (pictures.length > 0) await enlarger('cutout', ...pictures, '--out', out, ...options, ...more);
}

const strokesFile = path.join(import.meta.dirname, 'cutout-strokes.json');
const painted = JSON.parse(readFileSync(strokesFile, 'utf8')) as Record<string, unknown>;
const isPainted = (source: string) => values.touched && nameOf(source) in painted;
await cutOut(sources.filter((source) => !isPainted(source)));
for (const source of sources.filter(isPainted)) {
  const file = path.join(folder, 'strokes.json');
  writeFileSync(file, JSON.stringify(painted[nameOf(source)]));
  await cutOut([source], ['--strokes', file]);
  rmSync(file);
}

const besideFolder = path.join(folder, 'beside');
if (values.beside !== undefined) {
  mkdirSync(besideFolder);
  await enlarger('models', 'add', values.beside, '--name', 'beside', ...dataDir);
  await cutOut(sources, ['--model', 'beside'], besideFolder);
}

const rowPx = 2 * (cellPx + gapPx) + 2 * gapPx;
const across = 2;
const place = (i: number, cell: number) => ({
  left:
    (i % across) * (columns * (cellPx + gapPx) + 4 * gapPx) + (cell % columns) * (cellPx + gapPx),
  top: Math.floor(i / across) * rowPx + Math.floor(cell / columns) * (cellPx + gapPx),
});
const layers: OverlayOptions[] = [];
const folders = values.beside === undefined ? [folder] : [folder, besideFolder];
const blocks = sources.flatMap((source) => folders.map((from) => ({ source, from })));
for (const [i, { source, from }] of blocks.entries()) {
  const cutout = path.join(from, `${nameOf(source)}.png`);
  if (!existsSync(cutout)) continue;
  const cells = await cellsOf(source, cutout);
  layers.push(...cells.map((input, cell) => ({ input, ...place(i, cell) })));
}
const sheet = path.join(results, values.products ? 'cutout-products.png' : 'cutout-sheet.png');
const width = across * columns * (cellPx + gapPx) + 4 * gapPx;
const height = Math.ceil(blocks.length / across) * rowPx;
await sharp({ create: { width, height, channels: 3, background: sheetGrey } })
  .composite(layers)
  .png()
  .toFile(sheet);
process.stdout.write(`${sources.length} photographs, ${layers.length / 8} cut out: ${sheet}\n`);
