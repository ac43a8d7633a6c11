/**
 * Anonymous memory of the service and its engine together while large photos are enlarged: at most
 * 900 MB, and not growing with the output. Mapped files, which the system can drop, do not count.
 * `node test/bench/memory.ts [PHOTO]` (Linux)
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { anonymousMib } from '../support/anonymous-memory.ts';
import { startHeadless, untilEnded } from '../support/headless.ts';
import { printTable, writeBenchJpeg } from './bench-pictures.ts';

const limitMib = 900;
const sampleEveryMs = 200;
const cases = [
  { width: 6000, height: 4000, scale: 2 },
  { width: 6000, height: 4000, scale: 4 },
  { width: 3000, height: 2000, scale: 16 },
];

const dir = mkdtempSync(join(tmpdir(), 'enlarger-memory-'));
const service = await startHeadless(join(dir, 'data'), ['--allow-folder', dir]);
const idleMib = anonymousMib(service.pid);
const rows: (string | number)[][] = [];
for (const { width, height, scale } of cases) {
  const source = join(dir, `${width}x${height}.jpg`);
  await writeBenchJpeg(source, width, height, process.argv[2]);
  let most = 0;
  const timer = setInterval(() => {
    most = Math.max(most, anonymousMib(service.pid));
  }, sampleEveryMs);
  const taskId = await service.submit(pathToFileURL(source).href, { scale });
  await untilEnded(service, taskId, 3_600_000);
  clearInterval(timer);
  const { output, timings, status, error } = await service.record(taskId);
  const size = output ? `${output.width} x ${output.height} ${output.format}` : (error?.code ?? '');
  const verdict = status === 'FINISHED' && most <= limitMib ? 'yes' : 'NO';
  const seconds = Math.round((timings.totalMs ?? 0) / 1000);
  process.stderr.write(`${width} x ${height} at ${scale}x: ${Math.round(most)} MB\n`);
  rows.push([`${width} x ${height}`, `${scale}x`, size, Math.round(most), verdict, seconds]);
  await service.call('DELETE', `/api/task/${taskId}`);
}
await service.end('SIGTERM');
rmSync(dir, { recursive: true });
process.stdout.write(`\nIdle service and engine: ${Math.round(idleMib)} MB anonymous memory\n\n`);
printTable(['source', 'scale', 'result', 'most, MB', `at most ${limitMib} MB`, 'seconds'], rows);
