/**
 * What survives where: every valid file of the shared corpus, enlarged twice by a network that
 * repeats pixels, into every format, and read back by exiftool and libvips.
 * `node test/bench/files.ts [ARCHIVE] [--part 1/4]`; ends with 1 when something was lost that nothing explains.
 */
import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import sharp from 'sharp';
import { outputFormats, type OutputFormat } from '../../packages/contract/src/formats.ts';
import { EnlargerError } from '../../packages/contract/src/errors.ts';
import type { JobReport } from '../../electron/engine/protocol/messages.ts';
import { createTestEngine, jobIn } from '../support/engine.ts';
import { readAllTags, type ReadFile } from '../support/exiftool.ts';
import { readPixels, type Pixels } from '../support/images.ts';
import { nearestNetwork } from '../support/networks-made.ts';
import { framesOfPng } from '../../packages/photo-files/src/metadata/containers/png-chunks.ts';
import { differenceOf, repeated } from '../support/pixels.ts';
import { corpusArchive } from '../support/shared.ts';
import { printTable } from './bench-pictures.ts';
import { explain, foreign, lossesOf, visible } from './survival.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { part: { type: 'string', default: '1/1' } },
});
const archive = resolve(positionals[0] ?? corpusArchive);
/** Every so many-th file, from 1 on. */
const [part = 1, parts = 1] = values.part.split('/').map(Number);
const engine = createTestEngine();
const corpus = join(engine.dir, 'corpus');
mkdirSync(corpus);
execFileSync('tar', ['xJf', archive, '-C', corpus, 'valid']);
const sources = readdirSync(corpus, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile())
  .map((entry) => join(entry.parentPath, entry.name))
  .sort()
  .filter((_, i) => i % parts === part - 1);

interface Done {
  sourcePath: string;
  to: OutputFormat;
  outputPath: string;
  report: JobReport;
}

/** JPEG XL is read by no reader here but our own: test/packages/photo-files/foreign/jxl.test.ts compares it by djxl. */
const comparable = outputFormats.filter((format) => format !== 'jxl');
const network = nearestNetwork(join(engine.dir, 'networks'));
const done: Done[] = [];
const refused = new Map<string, string[]>();
for (const sourcePath of sources) {
  for (const to of comparable) {
    const job = jobIn(engine.dir, {
      sourcePath,
      passes: [network],
      format: to,
      formatChosen: true,
    });
    try {
      const signal = new AbortController().signal;
      const report = await engine.host.run(job, { signal, onProgress: () => undefined });
      done.push({ sourcePath, to, outputPath: job.outputPath, report });
    } catch (error) {
      if (!(error instanceof EnlargerError)) throw error;
      refused.set(error.message, [...(refused.get(error.message) ?? []), sourcePath]);
      break;
    }
  }
}

/** The source's own numbers, upright, each pixel as a square; undefined where colours are converted. */
async function expected(sourcePath: string, format: string): Promise<Pixels | undefined> {
  if (foreign.includes(format)) return undefined;
  const { space } = await sharp(sourcePath).metadata();
  if (space === 'cmyk' || space.startsWith('lab')) return undefined;
  const upright = join(engine.dir, 'upright.tif');
  const file = sharp(sourcePath, { ignoreIcc: true, limitInputPixels: false, pages: 1 });
  writeFileSync(
    upright,
    await file.autoOrient().toColourspace(space).tiff({ compression: 'none' }).toBuffer(),
  );
  return repeated(await readPixels(upright), 2);
}

/** Frames and their times; the times of an APNG are in its chunks, which test/engine/jobs/animation reads. */
async function movingOf({ sourcePath, outputPath, report }: Done) {
  const read = async (path: string, format: string) => {
    if (format === 'png') return { frames: framesOfPng(path), scenes: 1, totalMs: undefined };
    const { pages = 1, delay = [] } = await sharp(path, { pages: -1 }).metadata();
    const totalMs = delay.reduce((sum, ms) => sum + ms, 0);
    return { frames: pages, scenes: await countScenes(path, pages), totalMs };
  };
  if (report.input.frames === undefined) return undefined;
  return {
    before: await read(sourcePath, report.input.format),
    after: await read(outputPath, report.output.format),
  };
}

/** Successive frames that look different. */
async function countScenes(path: string, frames: number): Promise<number> {
  const all = await sharp(path, { pages: -1 }).raw().toBuffer();
  const bytes = all.length / frames;
  const isNew = (frame: number) =>
    all
      .subarray(frame * bytes, (frame + 1) * bytes)
      .some((value, i) => Math.abs(value - all[(frame - 1) * bytes + i]!) > maxLookAlikeLevels);
  return 1 + Array.from({ length: frames - 1 }, (_, i) => i + 1).filter(isNew).length;
}

/** libwebp's encoder joins frames that differ by less. */
const maxLookAlikeLevels = 4;

const tags = readAllTags([...sources, ...done.map(({ outputPath }) => outputPath)]);
const tagsOf = (path: string): ReadFile => tags.get(path) ?? { tags: {}, icc: undefined };
interface Cell {
  files: number;
  exact: number;
  farthest: number;
  icc: number;
  explained: Map<string, number>;
  unexplained: string[];
}
const cells = new Map<string, Cell>();
/** Files that libvips alone refuses. */
const unread = new Set<string>();
for (const one of done) {
  const key = `${one.report.input.format} -> ${one.to}`;
  const cell = cells.get(key) ?? {
    files: 0,
    exact: 0,
    farthest: 0,
    icc: 0,
    explained: new Map<string, number>(),
    unexplained: [],
  };
  cells.set(key, cell);
  cell.files += 1;
  // libvips alone refuses some Lab, and what Enlarger repairs first.
  const want = await expected(one.sourcePath, one.report.input.format).catch(() => {
    unread.add(one.sourcePath);
    return undefined;
  });
  const got = await readPixels(one.outputPath);
  const losses = lossesOf({
    ...one,
    moving: await movingOf(one),
    want,
    got,
    before: tagsOf(one.sourcePath),
    after: tagsOf(one.outputPath),
  });
  if (want?.channels === got.channels && want.data.length === got.data.length) {
    const { most, mean } = differenceOf(...visible(got, want));
    if (most === 0) cell.exact += 1;
    cell.farthest = Math.max(cell.farthest, mean);
  }
  if (tagsOf(one.sourcePath).icc !== undefined) cell.icc += 1;
  for (const loss of losses) {
    const isUnread = loss === 'colours are converted' && unread.has(one.sourcePath);
    const why = isUnread ? 'libvips alone does not read the file' : explain(loss, one.report);
    if (why) cell.explained.set(why, (cell.explained.get(why) ?? 0) + 1);
    else cell.unexplained.push(`${one.sourcePath.slice(corpus.length + 7)}: ${loss}`);
  }
}

const rows = [...cells]
  .sort(([a], [b]) => (a < b ? -1 : 1))
  .map(([key, cell]) => [
    key,
    String(cell.files),
    String(cell.exact),
    cell.farthest.toFixed(2),
    String(cell.icc),
    String([...cell.explained.values()].reduce((sum, n) => sum + n, 0)),
    String(cell.unexplained.length),
  ]);
printTable(
  ['in -> out', 'files', 'same numbers', 'mean error', 'profiles', 'explained', 'lost'],
  rows,
);
const reasons = new Map<string, number>();
for (const { explained } of cells.values())
  for (const [why, count] of explained) reasons.set(why, (reasons.get(why) ?? 0) + count);
console.log('\nExplained:');
for (const [why, count] of reasons) console.log(`  ${count} x ${why}`);
console.log('\nRefused:');
for (const [message, files] of refused) console.log(`  ${files.length} x ${message}`);
const lost = [...cells.values()].flatMap(({ unexplained }) => unexplained);
console.log(`\nLost and not explained: ${lost.length}`);
for (const line of lost) console.log(`  ${line}`);
await engine.close();
process.exitCode = lost.length > 0 ? 1 : 0;
