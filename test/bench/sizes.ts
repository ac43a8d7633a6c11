/**
 * How true foretold sizes of files are: `npm run bench:sizes -- FOLDER [pieces]`. Pieces of 480 x 360 from the middle
 * of its photographs, as JPEG of quality 85 and as PNG, through the real service: what the estimate said, and what
 * the files have. Prints the median and the largest error for each way.
 */
import { mkdir, readdir } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import sharp from 'sharp';
import { startHeadless, untilEnded } from '../support/headless.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const patientMs = 600_000;
const ways = [
  { from: 'jpg', body: { scale: 2 } },
  { from: 'jpg', body: { scale: 4 } },
  { from: 'jpg', body: { scale: 2, format: 'jpeg', quality: 80 } },
  { from: 'jpg', body: { scale: 2, format: 'webp' } },
  { from: 'jpg', body: { scale: 2, format: 'tiff' } },
  { from: 'jpg', body: { scale: 2, format: 'tiff', bitDepth: 16 } },
  { from: 'png', body: { scale: 2 } },
  { from: 'png', body: { scale: 2, format: 'jpeg' } },
] as const;

const [from, wanted = '12'] = process.argv.slice(2);
if (from === undefined) throw new Error('Expected a folder of photographs.');

const folder = temporaryFolder();
const names = (await readdir(from)).filter((name) => /\.jpe?g$/i.test(name)).sort();
const step = Math.max(1, Math.floor(names.length / Number(wanted)));
const pieces = path.join(folder, 'pieces');
await mkdir(pieces);
const taken = names.filter((_, i) => i % step === 0).slice(0, Number(wanted));
for (const [i, name] of taken.entries()) {
  const { width, height } = await sharp(path.join(from, name)).metadata();
  const [w, h] = [Math.min(480, width), Math.min(360, height)];
  const place = { left: (width - w) >> 1, top: (height - h) >> 1, width: w, height: h };
  const piece = sharp(path.join(from, name)).extract(place);
  await piece.jpeg({ quality: 85 }).toFile(path.join(pieces, `${i}.jpg`));
  await piece.png().toFile(path.join(pieces, `${i}.png`));
}

const service = await startHeadless(path.join(folder, 'data'), ['--allow-folder', pieces]);
try {
  const table: Record<string, Record<string, string>> = {};
  for (const way of ways) {
    const tasks = await Promise.all(
      taken.map(async (_, i) => {
        const imageUrl = pathToFileURL(path.join(pieces, `${i}.${way.from}`)).href;
        const response = await service.call('POST', '/api/estimate', { imageUrl, ...way.body });
        const { fileSizeBytes } = (await response.json()) as { fileSizeBytes: number };
        return { fileSizeBytes, taskId: await service.submit(imageUrl, way.body) };
      }),
    );
    const errors: number[] = [];
    for (const { fileSizeBytes, taskId } of tasks) {
      await untilEnded(service, taskId, patientMs);
      const { output } = await service.record(taskId);
      if (output !== undefined) errors.push(fileSizeBytes / output.sizeBytes - 1);
    }
    const sorted = errors.map(Math.abs).sort((a, b) => a - b);
    const percent = (value = Number.NaN) => `${(value * 100).toFixed(0)} %`;
    table[`${way.from} ${JSON.stringify(way.body)}`] = {
      median: percent(sorted[sorted.length >> 1]),
      largest: percent(sorted.at(-1)),
      bias: percent(errors.sort((a, b) => a - b)[errors.length >> 1]),
    };
    console.table(table);
  }
} finally {
  await service.end('SIGTERM');
}
