/**
 * Speed of every embedded network by variant, device and tile size.
 * `node test/bench/models.ts`
 */
import { firstLine } from '../../electron/engine/inference/first-line.ts';
import { probe } from '../../electron/engine/inference/probe.ts';
import { precisionsOn } from '../../electron/engine/inference/better-precision.ts';
import { providersHere } from '../../electron/engine/inference/providers.ts';
import { openSession } from '../../electron/engine/inference/session.ts';
import { speedAt, timeOf } from '../../electron/engine/inference/tile-size.ts';
import type { NetworkFile } from '../../electron/engine/protocol.ts';
import { smallestTilePx } from '../../electron/engine/works/upscale/tile-plan.ts';
import { join } from 'node:path';
import { embeddedNetworks } from '../support/networks.ts';
import { printTable } from './bench-pictures.ts';

const tileSizes = [96, 128, 160, 192, 256, 320, 384, 512];
const enginePath = join(import.meta.dirname, '../../electron/engine/main.ts');
type Row = (string | number)[];

async function onCpu(network: NetworkFile): Promise<Row[]> {
  const rows: Row[] = [];
  for (const { precision } of network.variants) {
    const session = await openSession(network, precision, 'cpu');
    for (const sizePx of tileSizes.filter((size) => size >= smallestTilePx(network))) {
      const tensor = new Float32Array(3 * sizePx ** 2).fill(0.5);
      await session.run(tensor, sizePx, sizePx);
      const ms = await timeOf(session, tensor, sizePx, sizePx);
      const computed = sizePx ** 2 / ms / 1000;
      const core = speedAt(network, sizePx, ms).megapixelsPerSecond;
      rows.push([nameOf(network), 'cpu', precision, sizePx, ...[ms, computed, core].map(short)]);
    }
    await session.close();
  }
  return rows;
}

const nameOf = (network: NetworkFile) => `${network.modelId} x${network.scale}`;
const short = (value: number) => value.toFixed(2);

/** Through the check that the engine itself makes, in a process that may die of its driver. */
async function elsewhere(network: NetworkFile): Promise<Row[]> {
  const rows: Row[] = [];
  for (const provider of providersHere().filter((name) => name !== 'cpu')) {
    for (const precision of precisionsOn(provider, network)) {
      const outcome = await probe(enginePath, { network, precision, provider });
      const said = outcome.ok
        ? [outcome.tilePx, '', '', short(outcome.megapixelsPerSecond)]
        : ['', '', '', firstLine(outcome.reason).slice(0, 60)];
      rows.push([nameOf(network), provider, precision, ...said]);
    }
  }
  return rows;
}

const rows: Row[] = [];
for (const network of embeddedNetworks()) {
  rows.push(...(await onCpu(network)), ...(await elsewhere(network)));
}
process.stdout.write('Megapixels of input a second; core: without the margins\n\n');
printTable(['network', 'device', 'precision', 'tile px', 'ms', 'computed', 'core'], rows);
process.exit();
