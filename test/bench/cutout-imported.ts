/**
 * Whether a mask network that a person imports is as good in the product as by itself: max F and MAE of both on the
 * measured sets, what the import found out and how long it took, and the time of the network's run and of all that
 * finds the mask. `node test/bench/cutout-imported.ts FILE.onnx [EVERY]`: EVERY 3 takes every third picture.
 */
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { importNetwork } from '../../electron/engine/host/import-host.ts';
import { maskNetworkFromFile } from '../support/networks-masks.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { printTable } from './bench-pictures.ts';
import { scoresOn } from './cutout-scores.ts';
import { withMaskSession, type FindMask } from './mask-session.ts';

const [file, every = '1'] = process.argv.slice(2);
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

const rows: string[][] = [];
await withMaskSession(network, 'fp32', async (findMask) => {
  for (const set of ['ecssd', 'pascal-s']) {
    const asItIs: FindMask = (path, use) =>
      findMask(path, (found) => use({ ...found, mask: found.atFirst }));
    for (const [name, find] of [
      ['bare', asItIs],
      ['in Enlarger', findMask],
    ] as const) {
      const { maxF, mae, pictures } = await scoresOn(join(measure, set), find, Number(every));
      rows.push([set, name, String(pictures), maxF.toFixed(3), mae.toFixed(3)]);
    }
  }
});
printTable(['set', 'network', 'pictures', 'max F', 'MAE'], rows);
process.exit();
