/**
 * Giants through the whole engine: memory, disk and time of what surrounds the network, which here only
 * repeats pixels (the shipped one takes hours for 6 gigapixels on a CPU). Needs 45 GB of disk, Linux.
 * `node test/bench/giants.ts [PHOTO]`
 */
import { statSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';
import { anonymousMib } from '../support/anonymous-memory.ts';
import { createTestEngine } from '../support/engine.ts';
import { hasExiftool, readTags, writeTags } from '../support/exiftool.ts';
import { nearestNetwork } from '../support/networks-made.ts';
import { printTable, writeBenchJpeg } from './bench-pictures.ts';

const limitMib = 1000;
const cases = [
  { width: 1, height: 1 },
  { width: 40_000, height: 40 },
  { width: 6000, height: 4000 },
];
const engine = createTestEngine();
const network = nearestNetwork(join(engine.dir, 'networks'), 4);
const gib = 1024 ** 3;

function diskBytes(): number {
  const files = readdirSync(engine.dir, { recursive: true, withFileTypes: true });
  return files
    .filter((entry) => entry.isFile())
    .reduce((sum, entry) => {
      const found = statSync(join(entry.parentPath, entry.name), { throwIfNoEntry: false });
      return sum + (found ? found.blocks * 512 : 0);
    }, 0);
}

const rows: string[][] = [];
for (const { width, height } of cases) {
  const sourcePath = join(engine.dir, `${width}x${height}.jpg`);
  await writeBenchJpeg(sourcePath, width, height, process.argv[2]);
  if (hasExiftool)
    await writeTags(sourcePath, '-Make=Giant Works', '-GPSLatitude=47', '-GPSLatitudeRef=N');
  const before = diskBytes();
  let memory = 0;
  let disk = 0;
  let estimated = 0;
  const timer = setInterval(() => {
    memory = Math.max(memory, anonymousMib(process.pid, 'root'));
    disk = Math.max(disk, diskBytes() - before);
  }, 250);
  const start = performance.now();
  const { report, outputPath } = await engine.run(
    { sourcePath, passes: [network, network], format: 'tiff', formatChosen: true },
    undefined,
    ({ estimate }) => (estimated = estimate?.scratchBytes ?? estimated),
  );
  clearInterval(timer);
  const { width: w, height: h, sizeBytes } = report.output;
  const found = await sharp(outputPath, { limitInputPixels: false }).metadata();
  const isRight = found.width === width * 16 && found.height === height * 16;
  const make = hasExiftool ? String((await readTags(outputPath))['IFD0:Make']) : 'no exiftool';
  rows.push([
    `${width} x ${height}`,
    `${w} x ${h}`,
    Math.round(memory).toString(),
    (disk / gib).toFixed(2),
    (estimated / gib).toFixed(2),
    (sizeBytes / gib).toFixed(2),
    make,
    Math.round((performance.now() - start) / 1000).toString(),
    isRight && memory <= limitMib && disk <= estimated * 1.05 + 1e6 ? 'yes' : 'NO',
  ]);
  process.stderr.write(`${rows.at(-1)?.join(' | ') ?? ''}\n`);
  writeFileSync(outputPath, '');
}
await engine.close();
const head = ['source', 'at 16x', 'most, MB', 'disk, GB', 'planned', 'file, GB', 'EXIF', 'seconds'];
printTable([...head, `under ${limitMib} MB and as planned`], rows);
process.exitCode = rows.every((row) => row.at(-1) === 'yes') ? 0 : 1;
