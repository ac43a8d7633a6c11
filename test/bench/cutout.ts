/**
 * How well every installed remover finds subjects, and what it costs: max F and MAE on folders of
 * image/*.webp and mask/*.png, SAD of what comes out against its plainly enlarged mask on
 * composites with true alpha, and seconds and anonymous memory for 12 megapixels.
 * `node test/bench/cutout.ts [--cost | --clicks | --grades] [SHARED] [FILE.onnx DESCRIPTOR.json]`, SHARED being `../shared` by
 * default; the descriptor is a MaskNetworkDescriptor without its variants. `--cost` measures what it costs alone,
 * `--clicks` how many clicks masks need, `--grades` how many of those called good are.
 */
import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import type { Precision } from '../../packages/contract/src/models/model.ts';
import type { MaskNetworkFile } from '../../electron/engine/protocol/messages.ts';
import { shippedMaskNetworks, maskNetworkFromFile } from '../support/networks-masks.ts';
import { printTable } from './bench-pictures.ts';
import { clicksOn } from './cutout-clicks.ts';
import { costOfCutout } from './cutout-cost.ts';
import { gainOfRefining } from './cutout-edges.ts';
import { gradeRows } from './cutout-grades.ts';
import { scoresOn, type Found } from './cutout-scores.ts';
import { withMaskSession } from './mask-session.ts';

const { values: told, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    cost: { type: 'boolean', default: false },
    clicks: { type: 'boolean', default: false },
    grades: { type: 'boolean', default: false },
  },
});
const [given, file, descriptor] = positionals;
const shared = resolve(given ?? join(import.meta.dirname, '../../../shared'));
const measure = join(shared, 'benchmark/cutout/measure');
const photograph = join(shared, 'photographs/Paweł-Czerwiński-Giraffe.jpg');

const say = (words: string) => process.stderr.write(`${words}\n`);
const skip = (what: string) => say(`Skipped: ${what} is not there.`);

function networks(): MaskNetworkFile[] {
  if (file === undefined || descriptor === undefined) return shippedMaskNetworks();
  const needs = JSON.parse(readFileSync(descriptor, 'utf8')) as Partial<MaskNetworkFile>;
  return [{ ...maskNetworkFromFile(file, needs), modelId: file }];
}

/** Every variant as if it were the only one. */
const variantsOf = (network: MaskNetworkFile): MaskNetworkFile[] =>
  network.variants.map((variant) => ({ ...network, variants: [variant] }));

async function rowOf(network: MaskNetworkFile): Promise<(string | number)[]> {
  const precision = network.variants[0]?.precision ?? 'fp32';
  const row: (string | number)[] = [network.modelId, precision];
  if (!told.cost) row.push(...(await qualityOf(network, precision)));
  if (!existsSync(photograph)) skip(photograph);
  const cost = await costOfCutout(network, {
    photograph: existsSync(photograph) ? photograph : undefined,
    folder: join(measure, 'ecssd/image'),
    say,
  });
  return [
    ...row,
    ...[cost.secondsOfSmall, cost.secondsOfOne, cost.seconds].map((seconds) => seconds.toFixed(2)),
    cost.secondsPerMegapixel.toFixed(2),
    Math.round(cost.maxMib),
  ];
}

async function qualityOf(network: MaskNetworkFile, precision: Precision): Promise<string[]> {
  const row: string[] = [];
  await withMaskSession(network, precision, async (findMask) => {
    for (const set of ['ecssd', 'pascal-s']) {
      const folder = join(measure, set);
      if (!existsSync(folder)) skip(folder);
      const found = existsSync(folder) ? await scoresOn(folder, findMask) : undefined;
      row.push(found ? found.maxF.toFixed(3) : '-', found ? found.mae.toFixed(3) : '-');
      row.push(found ? `${found.refused} of ${found.pictures}` : '-');
      row.push(found ? gradesOf(found.found) : '-');
    }
    const gain = await gainOfRefining(shared, findMask, skip);
    const { ofSums, ofEach, ofEdges } = gain ?? {};
    row.push(...[ofSums, ofEach, ofEdges].map((share) => share?.toFixed(2) ?? '-'));
  });
  return row;
}

/** How many are called good, and how many of those are of the worst tenth. */
function gradesOf(found: readonly Found[]): string {
  const byOverlap = found.toSorted((a, b) => a.overlap - b.overlap);
  const worst = byOverlap.slice(0, Math.ceil(found.length / 10));
  const good = (all: readonly Found[]) => all.filter(({ grade }) => grade === 'good').length;
  return `${good(found)}, ${good(worst)} of the worst ${worst.length}`;
}

if (told.clicks) {
  await tableOfClicks();
  process.exit();
}

if (told.grades) {
  await tableOfGrades();
  process.exit();
}

async function tableOfGrades(): Promise<void> {
  for (const network of networks())
    await withMaskSession(network, network.variants[0]?.precision ?? 'fp32', async (findMask) => {
      const sets = new Map<string, Found[]>();
      for (const set of ['ecssd', 'pascal-s']) {
        const folder = join(measure, set);
        if (existsSync(folder)) sets.set(set, (await scoresOn(folder, findMask)).found);
        else skip(folder);
      }
      printTable([network.modelId, 'called good', 'IoU below 0.9', 'below 0.8'], gradeRows(sets));
    });
}

async function tableOfClicks(): Promise<void> {
  const rows: (string | number)[][] = [];
  for (const network of networks())
    await withMaskSession(network, network.variants[0]?.precision ?? 'fp32', async (findMask) => {
      for (const set of ['ecssd', 'pascal-s']) {
        const folder = join(measure, set);
        if (!existsSync(folder)) {
          skip(folder);
          continue;
        }
        const { clicks, unreached, pictures, overlaps, boxed } = await clicksOn(folder, findMask);
        say(`${set}: ${clicks.toFixed(2)} clicks, ${boxed.toFixed(3)} with a box`);
        const means = overlaps.map((overlap) => overlap.toFixed(3));
        rows.push([
          network.modelId,
          set,
          clicks.toFixed(2),
          `${unreached} of ${pictures}`,
          ...means,
          boxed.toFixed(3),
        ]);
      }
    });
  const after = ['mask', '1', '2', '3', '4', '5'].map((clicks) => `IoU ${clicks}`);
  printTable(['model', 'set', 'clicks to 0.9', 'not reached', ...after, 'IoU box'], rows);
}

const rows: (string | number)[][] = [];
for (const network of networks().flatMap(variantsOf)) {
  say(`${network.modelId} ${network.variants[0]?.precision ?? ''}`);
  rows.push(await rowOf(network));
}
const ofEdges = ['SAD refined/plain', 'mean of each', 'edges alone'];
const ofSet = (set: string) => [`${set} max F`, `${set} MAE`, 'no subject', 'called good'];
printTable(
  [
    'model',
    'precision',
    ...(told.cost ? [] : [...ofSet('ecssd'), ...ofSet('pascal-s'), ...ofEdges]),
    'small, s',
    '12 MP, s',
    'with several subjects, s',
    's/MP',
    'most, MB',
  ],
  rows,
);
