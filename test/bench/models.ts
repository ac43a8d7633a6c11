/**
 * Models x devices: megapixels of input a second with the fastest tile, memory of the process then, the largest
 * tile that runs (each twice as wide as the one before), and how far its numbers are from the CPU's in fp32.
 * `node test/bench/models.ts [WORD] [FOLDER]`: only models whose name holds the word ('' for all), and those of
 * a folder beside the shipped ones.
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { precisionsOn } from '../../electron/engine/inference/devices/better-precision.ts';
import { engineEnvironment } from '../../electron/engine/host/engine-environment.ts';
import { providersHere } from '../../electron/engine/inference/devices/providers.ts';
import type { NetworkFile } from '../../electron/engine/protocol/messages.ts';
import { embeddedNetworks } from '../support/networks.ts';
import { printTable } from './bench-pictures.ts';
import { enlargersIn } from './brought-networks.ts';
import type { RowFound, RowRequest } from './models-row.ts';

const [word = '', folder] = process.argv.slice(2);
/** A device that compiles for a while is waited for. */
const limitMs = 180_000;

async function found(request: RowRequest): Promise<RowFound> {
  const child = fork(join(import.meta.dirname, 'models-row.ts'), [], {
    env: engineEnvironment(),
    serialization: 'advanced',
  });
  const timer = setTimeout(() => child.kill('SIGKILL'), limitMs);
  const died = once(child, 'exit').then(([code, signal]): RowFound => ({
    failed: `it ended (${String(signal ?? code)})`,
  }));
  const answered = once(child, 'message').then(([message]) => message as RowFound);
  child.send(request);
  try {
    return await Promise.race([answered, died]);
  } finally {
    clearTimeout(timer);
    child.kill('SIGKILL');
  }
}

function rowOf({ network, precision, provider }: RowRequest, one: RowFound): string[] {
  const head = [`${network.modelId} ${network.scale}x`, provider, precision];
  if ('failed' in one) return [...head, '', '', '', '', one.failed.slice(0, 60)];
  const { max: most, mean } = one.difference;
  return [
    ...head,
    one.megapixelsPerSecond.toFixed(3),
    one.batch === undefined ? String(one.tilePx) : `${one.tilePx}, ${one.batch} a call`,
    one.peakMegabytes === undefined ? '' : one.peakMegabytes.toFixed(0),
    `${one.largestPx} (${one.ended})`,
    `${most.toFixed(2)}, mean ${mean.toFixed(3)}`,
  ];
}

const brought = folder === undefined ? [] : await enlargersIn(folder);
const networks: NetworkFile[] = [...embeddedNetworks(), ...brought].filter(({ modelId }) =>
  modelId.includes(word),
);
const rows: string[][] = [];
for (const network of networks)
  for (const provider of providersHere())
    for (const precision of provider === 'cpu'
      ? network.variants.map((variant) => variant.precision)
      : precisionsOn(provider, network)) {
      const request = { network, precision, provider };
      rows.push(rowOf(request, await found(request)));
      process.stderr.write(`${rows.at(-1)?.join('  ') ?? ''}\n`);
    }
printTable(
  [
    'model',
    'device',
    'precision',
    'MP/s',
    'tile px',
    'peak MB',
    'largest tile',
    'levels of 255 from CPU fp32',
  ],
  rows,
);
process.exit();
