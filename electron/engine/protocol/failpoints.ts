/**
 * Failpoints are named steps at which the siege (test/siege) kills a process of Enlarger. They work only
 * where the program runs from its sources: a build has no file that ends in .ts, and there the variable is
 * ignored.
 */

export const failpoints = [
  'submit-stored',
  'claimed',
  'source-fetched',
  'engine-decode',
  'engine-network',
  'engine-encode',
  'image-renamed',
  'published',
  'saved',
  'remembered',
  'finished',
  'told',
  'removed',
  'files-removed',
] as const;
export type Failpoint = (typeof failpoints)[number];

export const failpointVariable = 'ENLARGER_FAILPOINT';

const isBuilt = !import.meta.url.endsWith('.ts');
const passes = new Map<Failpoint, number>();

/** Kills this process when the environment says `step@n` and it reaches the step for the n-th time. */
export function mayFailAt(step: Failpoint): void {
  if (isBuilt) return;
  const wanted = process.env[failpointVariable];
  if (wanted === undefined) return;
  const pass = (passes.get(step) ?? 0) + 1;
  passes.set(step, pass);
  if (wanted === `${step}@${pass}`) process.kill(process.pid, 'SIGKILL');
}
