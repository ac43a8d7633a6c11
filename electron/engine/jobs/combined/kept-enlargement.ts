/**
 * Keeps the enlarged picture of a cut-out beyond its job: when the photo's mask is touched up, or another background is
 * put behind it, only what was not visible before is enlarged.
 */
import { createHash, randomUUID } from 'node:crypto';
import { createReadStream, linkSync, readFileSync } from 'node:fs';
import { mkdir, readdir, rename, rm, stat, statfs, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { CutoutJob } from '../../protocol/messages.ts';
import { type Raster, rasterBytes, withRaster } from '../../raster/raster-file.ts';
import { rewriteStrips } from '../../raster/strips.ts';
import type { RegionMask } from '../../tiles/region-mask.ts';
import type { JobOutput } from '../steps/job-context.ts';

/** Kept pictures take at most this much of the disk, and one never more than a quarter of what is free. */
const maxKeptBytes = 2e9;
const maxFreeShare = 0.25;

/** An enlarged picture, and the region of the photo that went through the networks. */
export interface EnlargedRegion {
  output: JobOutput;
  region: RegionMask;
}

interface KeptRecord {
  /** Name of the raster beside the record. */
  raster: string;
  output: Omit<JobOutput, 'rasterPath'>;
  region: { width: number; height: number; base64: string };
}

/** Enlarged pictures of one source file. */
export interface KeptEnlargements {
  folder: string;
  /** Hexadecimal SHA-256 of the source file. */
  sourceHash: string;
}

/** Returns where a job's enlarged picture is kept; undefined: nowhere. @throws if the source cannot be read */
export async function keptEnlargementsOf({
  keptDir: folder,
  enlarge,
  sourcePath,
}: CutoutJob): Promise<KeptEnlargements | undefined> {
  if (folder === undefined || enlarge?.first !== 'enlarge') return undefined;
  const hash = createHash('sha256');
  await pipeline(createReadStream(sourcePath), hash);
  return { folder, sourceHash: hash.digest('hex') };
}

/** The kept pictures of one source that were enlarged in one way: the latest of them. */
export interface EnlargementKeeper {
  /** Opens the kept picture as a raster in `scratchDir`; undefined: none is kept. */
  open(scratchDir: string): EnlargedRegion | undefined;
  /** Keeps a picture, whose raster must not change any more, as far as the disk has room. */
  keep(enlarged: EnlargedRegion): Promise<void>;
}

/** @param options everything but the source that determines the enlarged picture */
export function createKeeper(
  { folder, sourceHash }: KeptEnlargements,
  options: unknown,
): EnlargementKeeper {
  const key = createHash('sha256')
    .update(JSON.stringify([sourceHash, options]))
    .digest('hex');
  const recordPath = join(folder, `${key}.json`);
  /** Raster that a wider one replaces. */
  let replaced: string | undefined;
  return {
    open(scratchDir) {
      const rasterPath = join(scratchDir, 'kept.v');
      try {
        const record = JSON.parse(readFileSync(recordPath, 'utf8')) as KeptRecord;
        replaced = join(folder, record.raster);
        linkSync(replaced, rasterPath);
        const { base64, ...size } = record.region;
        const region = { ...size, data: Uint8Array.from(Buffer.from(base64, 'base64')) };
        return { output: { ...record.output, rasterPath }, region };
      } catch {
        // There is none, or another job has just removed it.
        return undefined;
      }
    },
    async keep({ output, region }) {
      const { rasterPath, ...kept } = output;
      const { data, ...size } = region;
      const raster = `${randomUUID()}.v`;
      const base64 = Buffer.from(data).toString('base64');
      const record: KeptRecord = { raster, output: kept, region: { ...size, base64 } };
      try {
        await mkdir(folder, { recursive: true, mode: 0o700 });
        if (!(await makeRoom(folder, rasterBytes(output.shape)))) return;
        linkSync(rasterPath, join(folder, raster));
        await writeFile(`${recordPath}.part`, JSON.stringify(record), { mode: 0o600 });
        await rename(`${recordPath}.part`, recordPath);
        if (replaced !== undefined) await rm(replaced, { force: true });
      } catch {
        // On a file system without links, or a full one, the photo is enlarged anew next time.
      }
    },
  };
}

/** Removes kept pictures, the oldest first, until another one fits. @returns whether it does */
async function makeRoom(folder: string, bytes: number): Promise<boolean> {
  const { bavail, bsize } = await statfs(folder);
  if (bytes > Math.min(maxKeptBytes, bavail * bsize * maxFreeShare)) return false;
  const files = await Promise.all((await readdir(folder)).map((name) => about(join(folder, name))));
  const oldestFirst = files.flat().sort((one, other) => one.usedMs - other.usedMs);
  let total = bytes + oldestFirst.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
  for (const { path, sizeBytes } of oldestFirst) {
    if (total <= maxKeptBytes) break;
    await rm(path, { force: true });
    total -= sizeBytes;
  }
  return true;
}

/** Returns a file's size and the time of its last use; nothing if it is gone meanwhile. */
async function about(path: string) {
  const found = await stat(path).catch(() => undefined);
  return found ? [{ path, sizeBytes: found.size, usedMs: found.mtimeMs }] : [];
}

/** Copies the pixels of a region from a raster into another one of the same shape. */
export async function copyRegion(
  fromPath: string,
  toPath: string,
  region: RegionMask,
  signal: AbortSignal,
): Promise<void> {
  await withRaster(fromPath, (from) =>
    withRaster(toPath, (to) => copyCells(from, to, region, signal)),
  );
}

function copyCells(from: Raster, to: Raster, region: RegionMask, signal: AbortSignal) {
  const { width, height, bands } = to.shape;
  const edges = Array.from({ length: region.width + 1 }, (_, cell) =>
    Math.ceil((cell * width) / region.width),
  );
  return rewriteStrips(to, { signal }, ({ samples, y, rows, stride }) => {
    const known = samples.slice();
    from.readRect({ x: 0, y, width, height: rows }, known, 0, stride);
    for (let row = 0; row < rows; row += 1) {
      const cells = Math.floor(((y + row) * region.height) / height) * region.width;
      for (let cell = 0; cell < region.width; cell += 1) {
        if (region.data[cells + cell] !== 1) continue;
        const start = row * stride + (edges[cell] as number) * bands;
        const end = row * stride + (edges[cell + 1] as number) * bands;
        samples.set(known.subarray(start, end), start);
      }
    }
  });
}
