/**
 * Failpoints: named steps at which the crash test (test/siege) kills a process of Enlarger. They work only
 * from sources; a build ignores the variable.
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

/**
 * Kills this process if the environment holds `step@n` and this is the n-th time that it reaches the step.
 */
export function failpoint(step: Failpoint): void {
  if (isBuilt) return;
  const wanted = process.env[failpointVariable];
  if (wanted === undefined) return;
  const pass = (passes.get(step) ?? 0) + 1;
  passes.set(step, pass);
  if (wanted === `${step}@${pass}`) process.kill(process.pid, 'SIGKILL');
}
