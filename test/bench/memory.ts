/**
 * Anonymous memory of the service and its engine together while large photos are enlarged: at most
 * 900 MB, and not growing with the output. Mapped files, which the system can drop, do not count.
 * `node test/bench/memory.ts [PHOTO]` (Linux)
 */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { startHeadless, untilEnded } from '../support/headless.ts';
import { printTable, writeBenchJpeg } from './bench-pictures.ts';

const mib = 1024 ** 2;
const limitMib = 900;
const sampleEveryMs = 200;
const cases = [
  { width: 6000, height: 4000, scale: 2 },
  { width: 6000, height: 4000, scale: 4 },
  { width: 3000, height: 2000, scale: 16 },
];

/** What a file under /proc says, or nothing when its process has gone. */
function readProc(pid: number, name: string): string {
  try {
    return readFileSync(`/proc/${pid}/${name}`, 'utf8');
  } catch {
    return '';
  }
}

function parentOf(pid: number): number {
  return Number(/^PPid:\s+(\d+)/m.exec(readProc(pid, 'status'))?.[1] ?? 0);
}

/** The process and all that it started, directly or not. */
function familyOf(root: number): number[] {
  const all = readdirSync('/proc').map(Number).filter(Number.isInteger);
  const parents = new Map(all.map((pid) => [pid, parentOf(pid)]));
  const isFamily = (pid: number): boolean =>
    pid === root || (pid > 1 && isFamily(parents.get(pid) ?? 0));
  return all.filter(isFamily);
}

function anonymousMib(root: number): number {
  const bytes = familyOf(root).map((pid) => {
    const found = /^Anonymous:\s+(\d+) kB/m.exec(readProc(pid, 'smaps_rollup'));
    return Number(found?.[1] ?? 0) * 1024;
  });
  return bytes.reduce((sum, value) => sum + value, 0) / mib;
}

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
