import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { root } from './support/program.ts';

/** Allocates as a service under load does, and prints the largest size of the young generation, in bytes. */
const program = (isLimited: boolean) => `
  import v8 from 'node:v8';
  import { limitYoungGeneration } from ${JSON.stringify(join(root, 'electron/young-generation.ts'))};
  if (${isLimited}) limitYoungGeneration();
  const kept = [];
  let largest = 0;
  for (let i = 0; i < 1e6; i += 1) {
    kept.push({ i, list: [i] });
    if (kept.length > 2e5) kept.length = 0;
    if (i % 50_000 > 0) continue;
    const space = v8.getHeapSpaceStatistics().find((one) => one.space_name === 'new_space');
    largest = Math.max(largest, space.space_size);
  }
  process.stdout.write(String(largest));`;

const largestOf = (isLimited: boolean) =>
  Number(execFileSync(process.execPath, ['--input-type=module', '--eval', program(isLimited)]));

it('the young generation of a service stays small', () => {
  const limited = largestOf(true);
  expect(limited).toBeGreaterThan(0);
  // On a busy machine one process may end before its young generation has grown.
  const free = Math.max(...Array.from({ length: 4 }, () => largestOf(false)));
  expect(limited).toBeLessThan(free / 2);
});
