/**
 * What networks of the catalogue take of memory and time, each in a process of its own and a tile at a time, on the CPU:
 * the process at its peak with the network loaded, less what it was before, and the seconds of a second tile for a
 * megapixel of the photo. `make-published.py FOLDER` (in
 * test/packages/network-import/references) makes networks of the published shapes; ONNX files are measured as they are.
 * `node test/bench/catalogue-memory.ts FOLDER [SIDE...]`
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { basename, extname, join } from 'node:path';
import { engineEnvironment } from '../../electron/engine/host/engine-environment.ts';
import { openBytes } from '../../packages/onnx/src/byte-source.ts';
import { writePieces } from '../../packages/onnx/src/write-onnx.ts';
import { buildNetwork } from '../../packages/network-import/src/torch/architectures/registry.ts';
import { readCheckpoint } from '../../packages/network-import/src/torch/read-checkpoint.ts';
import { openSession } from '../../electron/engine/inference/sessions/session.ts';
import type { NetworkFile } from '../../electron/engine/protocol/messages.ts';
import { printTable } from './bench-pictures.ts';
import { plainContract } from '../support/networks.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const asChild = 'measure';
const [given, ...rest] = process.argv.slice(2);

/** As much of a descriptor as a run of one tile needs. */
const networkOf = (path: string): NetworkFile => ({
  modelId: 'measured',
  ...plainContract,
  scale: 1,
  padding: 'reflect',
  variants: [{ precision: 'fp32', file: path, path, sha256: '', sizeBytes: statSync(path).size }],
});

const megabytesNow = (field: 'VmHWM' | 'VmRSS') => {
  const found = new RegExp(`^${field}:\\s+(\\d+) kB`, 'm').exec(
    readFileSync('/proc/self/status', 'utf8'),
  );
  return Number(found?.[1]) / 1024;
};

async function measure(path: string, side: number): Promise<void> {
  const before = megabytesNow('VmRSS');
  const session = await openSession(networkOf(path), 'fp32', 'cpu');
  const tile = new Float32Array(3 * side * side).fill(0.5);
  await session.run(tile, side, side);
  const megabytes = Math.round(megabytesNow('VmHWM') - before);
  const from = performance.now();
  await session.run(tile, side, side);
  const seconds = (performance.now() - from) / 1000 / ((side * side) / 1e6);
  process.send?.(`${megabytes} MB, ${seconds.toFixed(1)} s`, () => process.exit());
}

async function measured(path: string, side: number): Promise<string> {
  const child = fork(import.meta.filename, [asChild, path, String(side)], {
    env: engineEnvironment(),
  });
  const died = once(child, 'exit').then(([code, signal]) => `ended (${String(signal ?? code)})`);
  return Promise.race([once(child, 'message').then(([found]) => String(found)), died]);
}

function asOnnx(from: string, folder: string): string {
  if (extname(from) === '.onnx') return from;
  const path = join(folder, `${basename(from)}.onnx`);
  const source = openBytes(from);
  writePieces(path, buildNetwork(readCheckpoint(source), 'input').pieces);
  source.close();
  return path;
}

async function main(folder: string, sides: readonly number[]): Promise<void> {
  const scratch = temporaryFolder();
  const rows: string[][] = [];
  for (const name of readdirSync(folder).toSorted()) {
    const path = asOnnx(join(folder, name), scratch);
    const row = [name, (statSync(path).size / 1e6).toFixed(1)];
    for (const side of sides) row.push(await measured(path, side));
    process.stderr.write(`${row.join(' ')}\n`);
    rows.push(row);
  }
  rmSync(scratch, { recursive: true, force: true });
  printTable(['network', 'MB', ...sides.map((side) => `${side} px`)], rows);
}

if (given === asChild) await measure(rest[0] ?? '', Number(rest[1]));
else await main(given ?? '.', rest.length > 0 ? rest.map(Number) : [128, 192, 256, 384]);
