/**
 * What can be brought: the share of OpenModelDB's image networks whose architecture is read (by the table in
 * ../shared/networks/FACTS.md), what an import takes, and, with a folder of networks, each of them on a photo.
 * `node test/bench/imports.ts [FOLDER]`
 */
import { closeSync, existsSync, mkdtempSync, openSync, readFileSync } from 'node:fs';
import { rmSync, statSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { importNetwork } from '../../electron/engine/host/import-host.ts';
import { architectures } from '../../packages/network-import/src/torch/architectures/registry.ts';
import { networks } from '../support/shared.ts';
import { printTable } from './bench-pictures.ts';
import { networksIn } from './brought-networks.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const enginePath = join(import.meta.dirname, '../../electron/engine/main.ts');
const folder = temporaryFolder();
const million = 1e6;

/** As OpenModelDB calls them, where that is not our name in small letters. */
const otherNames: Record<string, string[]> = {
  ESRGAN: ['esrgan', 'esrgan+'],
  RealPLKSR: ['realplksr', 'realplksr-dysample'],
};
const read = new Set(architectures.flatMap(({ name }) => otherNames[name] ?? [name.toLowerCase()]));

function printShare(): void {
  if (!existsSync(networks.facts)) {
    process.stdout.write(`Skipped the share: ${networks.facts} is not there.\n`);
    return;
  }
  const row = /^(\S+) +(\d+) +[\d.]+% +(\d+).* (image|video)$/gm;
  const rows = [...readFileSync(networks.facts, 'utf8').matchAll(row)].map(
    ([, name = '', all = '', photo = '', input]) => ({
      name,
      all: Number(all),
      photo: Number(photo),
      isImage: input === 'image',
    }),
  );
  const sum = (of: typeof rows, key: 'all' | 'photo') => of.reduce((n, one) => n + one[key], 0);
  const ours = rows.filter(({ name }) => read.has(name));
  const images = rows.filter(({ isImage }) => isImage);
  const share = (part: number, whole: number) =>
    `${part} of ${whole}, ${((100 * part) / whole).toFixed(1)} %`;
  process.stdout.write(`Read: ${architectures.map(({ name }) => name).join(', ')}\n`);
  printTable(
    ['networks of OpenModelDB', 'whose architecture is read'],
    [
      ['all', share(sum(ours, 'all'), sum(rows, 'all'))],
      ['of images', share(sum(ours, 'all'), sum(images, 'all'))],
      ['of photos, faces and in general', share(sum(ours, 'photo'), sum(rows, 'photo'))],
    ],
  );
  const missing = images.filter(({ name }) => !read.has(name));
  process.stdout.write(
    `Not read: ${missing.map(({ name, all }) => `${name} ${all}`).join(', ')}\n\n`,
  );
}

/** An ESRGAN as it is published most: 23 blocks, 64 features, 67 MB; its weights are noise. */
function writeLargeNetwork(path: string): void {
  const shapes: [string, number[]][] = [];
  const conv = (name: string, from: number, to: number) =>
    shapes.push([`${name}.weight`, [to, from, 3, 3]], [`${name}.bias`, [to]]);
  conv('conv_first', 3, 64);
  for (let block = 0; block < 23; block += 1)
    for (let dense = 1; dense <= 3; dense += 1)
      for (let i = 1; i <= 5; i += 1)
        conv(`body.${block}.rdb${dense}.conv${i}`, 64 + (i - 1) * 32, i < 5 ? 32 : 64);
  for (const name of ['conv_body', 'conv_up1', 'conv_up2', 'conv_hr']) conv(name, 64, 64);
  conv('conv_last', 64, 3);
  let at = 0;
  const head: Record<string, object> = {};
  for (const [name, shape] of shapes) {
    const length = 4 * shape.reduce((a, b) => a * b, 1);
    head[name] = { dtype: 'F32', shape, data_offsets: [at, at + length] };
    at += length;
  }
  const json = Buffer.from(JSON.stringify(head));
  const start = Buffer.alloc(8);
  start.writeBigUInt64LE(BigInt(json.length));
  const file = openSync(path, 'w');
  writeSync(file, start);
  writeSync(file, json);
  const noise = Float32Array.from({ length: 2 ** 16 }, (_, i) => 0.03 * Math.sin(i * i));
  const bytes = new Uint8Array(noise.buffer);
  for (let left = at; left > 0; left -= bytes.length)
    writeSync(file, bytes.subarray(0, Math.min(left, bytes.length)));
  closeSync(file);
}

type Row = (string | number)[];

async function imported(files: { name: string; path: string }[]): Promise<Row> {
  const [main] = files;
  const size = files.reduce((sum, { path }) => sum + statSync(path).size, 0) / million;
  const toFolder = mkdtempSync(join(folder, 'import-'));
  let peak = 0;
  const cpuMs = new Map<number, number>();
  const look = setInterval(() => {
    for (const child of childrenOf(process.pid)) {
      peak = Math.max(peak, peakOf(child));
      cpuMs.set(child, Math.max(cpuMs.get(child) ?? 0, cpuOf(child)));
    }
  }, 20);
  const before = performance.now();
  try {
    const request = { files, toFolder };
    const host = { nodePath: process.execPath, enginePath };
    const { contract, origin, task } = await importNetwork(
      host,
      request,
      new AbortController().signal,
    );
    const does = 'scale' in contract ? `${contract.scale}x, margin ${contract.marginPx}` : task;
    return row(`${origin.architecture ?? origin.format}: ${does}`);
  } catch (error) {
    return row(error instanceof Error ? error.message.slice(0, 90) : String(error));
  } finally {
    clearInterval(look);
    rmSync(toFolder, { recursive: true, force: true });
  }
  function row(said: string): Row {
    const seconds = (performance.now() - before) / 1000;
    return [
      main?.name ?? '',
      size.toFixed(1),
      seconds.toFixed(1),
      ([...cpuMs.values()].reduce((sum, ms) => sum + ms, 0) / 1000).toFixed(1),
      Math.round(peak),
      said,
    ];
  }
}

/** Of Linux only; elsewhere there are none. */
function childrenOf(pid: number): number[] {
  try {
    const text = readFileSync(`/proc/self/task/${pid}/children`, 'utf8');
    return text.split(' ').filter(Boolean).map(Number);
  } catch {
    return [];
  }
}

/** Megabytes at the most so far; 0 when it has ended. */
function peakOf(pid: number): number {
  try {
    const found = /VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'));
    return Number(found?.[1] ?? 0) / 1024;
  } catch {
    return 0;
  }
}

const ticksPerSecond = 100;

function cpuOf(pid: number): number {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
    return (1000 * (Number(fields[11]) + Number(fields[12]))) / ticksPerSecond;
  } catch {
    return 0;
  }
}

printShare();
const rows: Row[] = [];
const large = { name: 'esrgan-23.safetensors', path: join(folder, 'esrgan-23.safetensors') };
writeLargeNetwork(large.path);
rows.push(await imported([large]));
const given = process.argv[2];
for (const files of given === undefined ? [] : networksIn(given)) rows.push(await imported(files));
printTable(['network', 'MB', 'seconds', 'of the CPU', 'peak MB', 'found'], rows);
