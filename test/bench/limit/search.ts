/**
 * Searches the fastest way to run a network in plain onnxruntime-node: threads, spinning, tile and strips. Results are
 * cached outside the checkout, by machine and network.
 */
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { availableParallelism, cpus, homedir, release } from 'node:os';
import path from 'node:path';
import {
  processorHere,
  threadCandidates,
} from '../../../electron/engine/inference/measuring/processor.ts';
import { streamedNetwork } from '../../../electron/engine/inference/network-files/streamed-network.ts';
import type { NetworkFile } from '../../../electron/engine/protocol/messages.ts';
import { planTiles, type TilePlan } from '../../../electron/engine/tiles/tile-plan.ts';
import type { BareRunner } from './bare.ts';
import type { BareCost, BareNetwork, Settings, Tile } from './bare-protocol.ts';

export interface SearchedNetwork extends BareNetwork {
  sha256: string;
  /** Whether tiles of any size are possible; a mask network has one size. */
  fixed?: { width: number; height: number };
  /** Whether the file can run in strips. */
  isStreamable: boolean;
}

export interface SearchResult {
  settings: Settings;
  /** Side of a tile, margins included. */
  tilePx: number;
  /** Input pixels per second in tiles of this size, margins included and not counted. */
  megapixelsPerSecond: number;
  /** Core megapixels per second of every tile size that was tried with the best settings. */
  bySize: { tilePx: number; inStrips: boolean; megapixelsPerSecond: number }[];
  /** The same with onnxruntime's own choice of threads and the best tile. */
  ownChoice: number;
}

const cacheFile = path.join(
  process.env['XDG_CACHE_HOME'] ?? path.join(homedir(), '.cache'),
  'enlarger-bench/limit.json',
);

function onnxruntimeVersion(): string {
  const found: unknown = createRequire(import.meta.url)('onnxruntime-node/package.json');
  return typeof found === 'object' && found !== null && 'version' in found
    ? String(found.version)
    : 'unknown';
}

export const machineName = (): string =>
  `${cpus()[0]?.model.trim() ?? 'unknown'}, ${availableParallelism()} logical processors, ${process.platform} ${process.arch}`;

function keyOf({ sha256 }: SearchedNetwork, provider: Settings['provider']): string {
  const parts = [machineName(), release(), process.version, onnxruntimeVersion(), sha256, provider];
  return createHash('sha256').update(parts.join('\n')).digest('hex').slice(0, 24);
}

type Cache = Record<string, SearchResult>;

function readCache(): Cache {
  try {
    return JSON.parse(readFileSync(cacheFile, 'utf8')) as Cache;
  } catch {
    // There is none yet.
    return {};
  }
}

function store(key: string, result: SearchResult): void {
  mkdirSync(path.dirname(cacheFile), { recursive: true });
  writeFileSync(cacheFile, JSON.stringify({ ...readCache(), [key]: result }, undefined, 1));
}

const sizes = [160, 192, 256, 320, 384, 512, 640, 768, 1024];
/** Threads and spinning are compared on this tile. */
const settingsPx = 256;
/** Times that a tile is run after its warm-up; noise hardly affects the longer runs of large ones. */
const roundsOf = (side: number) => (side < 512 ? 3 : 1);
/** The search for a tile ends after so many sizes in a row, ascending, that are slower than a smaller one. */
const maxSlowerSizes = 2;

const coreOf = ({ marginPx }: SearchedNetwork, { width, height }: Tile) =>
  ((width - 2 * marginPx) * (height - 2 * marginPx)) / 1e6;

/** @param isForced searches although a result is cached */
export async function search(
  bare: BareRunner,
  network: SearchedNetwork,
  provider: Settings['provider'],
  isForced: boolean,
): Promise<SearchResult> {
  const key = keyOf(network, provider);
  const known = isForced ? undefined : readCache()[key];
  if (known) return known;
  const result = await searchNow(bare, network, provider);
  store(key, result);
  return result;
}

async function searchNow(
  bare: BareRunner,
  network: SearchedNetwork,
  provider: Settings['provider'],
): Promise<SearchResult> {
  const tileOf = (settings: Settings, side: number): Tile => ({
    settings,
    ...(network.fixed ?? { width: side, height: side }),
  });
  const byThreads = settingsFor(provider).map((settings) => tileOf(settings, settingsPx));
  const [ownSeconds = Infinity, ...found] = await bare.compare(network, byThreads, 3);
  const fastestSeconds = Math.min(...found, ownSeconds);
  const settings = (byThreads[found.indexOf(fastestSeconds) + 1] ?? tileOf(ownChoice(provider), 0))
    .settings;
  const ways = [settings, ...(network.isStreamable ? [{ ...settings, inStrips: true }] : [])];
  const rows: SearchResult['bySize'] = [];
  for (const way of ways)
    rows.push(...(await searchTiles(bare, network, (side) => tileOf(way, side))));
  const best = rows.reduce((a, b) => (b.megapixelsPerSecond > a.megapixelsPerSecond ? b : a));
  return {
    settings: { ...settings, inStrips: best.inStrips },
    tilePx: best.tilePx,
    megapixelsPerSecond: best.megapixelsPerSecond,
    bySize: rows,
    ownChoice: best.megapixelsPerSecond * (fastestSeconds / ownSeconds),
  };
}

/** Measures sizes in ascending order, until larger ones have become slower. */
async function searchTiles(
  bare: BareRunner,
  network: SearchedNetwork,
  tileOf: (side: number) => Tile,
): Promise<SearchResult['bySize']> {
  const rows: SearchResult['bySize'] = [];
  let slower = 0;
  for (const side of network.fixed ? [network.fixed.width] : sizes) {
    const tile = tileOf(side);
    const core = coreOf(network, tile);
    if (core <= 0) continue;
    const [seconds = Infinity] = await bare.compare(network, [tile], roundsOf(side));
    const megapixelsPerSecond = core / seconds;
    const best = Math.max(0, ...rows.map((row) => row.megapixelsPerSecond));
    rows.push({ tilePx: side, inStrips: tile.settings.inStrips, megapixelsPerSecond });
    slower = megapixelsPerSecond < best ? slower + 1 : 0;
    if (slower >= maxSlowerSizes) break;
  }
  return rows;
}

const ownChoice = (provider: Settings['provider']): Settings => ({
  provider,
  spins: true,
  inStrips: false,
});

/** The first is onnxruntime's own choice. */
function settingsFor(provider: Settings['provider']): Settings[] {
  const own = ownChoice(provider);
  if (provider !== 'cpu') return [own];
  const threads = threadCandidates(processorHere());
  const spinning = [true, false];
  return [
    own,
    ...threads.flatMap((count) => spinning.map((spins) => ({ ...own, threads: count, spins }))),
  ];
}

/** One file of an upscaler. */
export function searchedUpscaler(
  network: NetworkFile,
  variant: NetworkFile['variants'][number],
): SearchedNetwork {
  const { input, output, layout, scale, marginPx, tileExact } = network;
  const file = variant.path;
  const isStreamable =
    variant.precision === 'int8' && tileExact && streamedNetwork(readFileSync(file)) !== undefined;
  const { sha256 } = variant;
  return { path: file, sha256, input, output, layout, scale, marginPx, isStreamable };
}

/** Tiles of a photo in the size that the search found. */
export const planOf = (
  network: NetworkFile,
  size: { width: number; height: number },
  { tilePx }: SearchResult,
): TilePlan => planTiles(size, network, tilePx);

/** A bare run need not be longer; its tiles are alike. */
const enoughSeconds = 8;
/** A single run of a small photo's only tile is chance. */
const minRuns = 3;

/** Cost of a plan's tiles in plain onnxruntime-node; of many tiles some are run, and the others counted like them. */
export async function costOfTiles(
  bare: BareRunner,
  network: BareNetwork,
  { settings, megapixelsPerSecond }: SearchResult,
  { columns, rows, windowWidth, windowHeight }: TilePlan,
): Promise<BareCost> {
  const count = columns.length * rows.length;
  const tile = { settings, width: windowWidth, height: windowHeight };
  const guess = (windowWidth * windowHeight) / 1e6 / megapixelsPerSecond;
  const runs = Math.max(minRuns, Math.min(count, Math.ceil(enoughSeconds / guess)));
  const { seconds, cpuSeconds } = await bare.repeat(network, tile, runs);
  return { seconds: (seconds / runs) * count, cpuSeconds: (cpuSeconds / runs) * count };
}
