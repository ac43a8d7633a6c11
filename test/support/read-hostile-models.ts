/** A process that reads all hostile files one after the other, and says what that took. */
import { readFileSync } from 'node:fs';
import { calling, damagedFiles, madeToHarm, refusalOf, type Format } from './hostile-models.ts';

export interface Found {
  files: number;
  refused: number;
  /** Of the file that took the most of the processor. */
  worstMs: number;
  peakMegabytes: number | undefined;
}

/**
 * What a few files held is not counted for the next, since each has a process of its own in an import. After each of
 * them it would take two thirds of the time.
 */
const collect = globalThis.gc ?? (() => undefined);

const filesTogether = 8;

const found: Found = { files: 0, refused: 0, worstMs: 0, peakMegabytes: undefined };

function read(format: Format, bytes: Uint8Array): void {
  const before = process.cpuUsage();
  const sentence = refusalOf(format, bytes);
  const { user, system } = process.cpuUsage(before);
  found.worstMs = Math.max(found.worstMs, (user + system) / 1000);
  found.files += 1;
  if (found.files % filesTogether === 0) collect();
  if (sentence === undefined) return;
  found.refused += 1;
  if (!/^[A-Z].{20,}/s.test(sentence)) throw new Error(`No sentence: ${sentence}`);
}

for (const [format, bytes] of damagedFiles()) read(format, bytes);
for (const [format, , bytes] of madeToHarm) read(format, bytes);
for (const module of ['os', 'posix', 'builtins']) read('pth', calling(module, 'system'));

if (process.platform === 'linux') {
  const peak = /^VmHWM:\s+(\d+) kB/m.exec(readFileSync('/proc/self/status', 'utf8'));
  found.peakMegabytes = Number(peak?.[1]) / 1024;
}
process.stdout.write(JSON.stringify(found));
