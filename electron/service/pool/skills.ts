/**
 * Which networks decide who may run what. A model's digest is over the hashes of its networks' files and over how
 * they are used, so two machines with the same digest run the same; with the same precision as well, what they
 * make is the same within what devices are held to.
 */
import { createHash } from 'node:crypto';
import type { ModelDescriptor } from '../../contract/model.ts';
import type { Job, SpeedMeasurement } from '../../engine/protocol.ts';
import type { Skill } from './messages.ts';

/** Asked for of each model several times a second; a descriptor never changes. */
const digests = new WeakMap<ModelDescriptor, string>();

export function digestOf(model: ModelDescriptor): string {
  const known = digests.get(model) ?? makeDigest(model);
  digests.set(model, known);
  return known;
}

function makeDigest({ task, networks }: ModelDescriptor): string {
  const files = networks.map(({ variants, ...use }) => ({
    ...use,
    variants: variants.map(({ precision, sha256 }) => `${precision} ${sha256}`).sort(),
  }));
  return createHash('sha256')
    .update(JSON.stringify([task, sorted(files)]))
    .digest('hex')
    .slice(0, 16);
}

/** With the fields of each object in the order of their names. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(entries.map(([name, field]) => [name, sorted(field)]));
}

/**
 * What this machine runs a model with; undefined while its engine has not decided between several precisions.
 * @param speeds that were measured here, the latest last
 */
export function skillOf(
  model: ModelDescriptor,
  speeds: readonly Pick<SpeedMeasurement, 'modelId' | 'precision'>[],
): Omit<Skill, 'megapixelsPerSecond'> | undefined {
  const there = new Set(model.networks.flatMap(({ variants }) => variants.map((v) => v.precision)));
  const [only] = there.size === 1 ? there : [];
  const precision = only ?? speeds.findLast(({ modelId }) => modelId === model.id)?.precision;
  return precision === undefined
    ? undefined
    : { model: model.id, digest: digestOf(model), precision };
}

/** The queue of all jobs that a skill can do. */
export const queueOf = ({ digest, precision }: Pick<Skill, 'digest' | 'precision'>) =>
  `work-${digest}-${precision}`;

/**
 * The models that a job needs: first the one that takes most of its time, whose queue it goes into. None for a job
 * without a network.
 */
export function modelsOf(job: Job): string[] {
  if (job.operation === 'convert') return [];
  const passes = job.operation === 'upscale' ? job.passes : (job.enlarge?.passes ?? []);
  const found = job.operation === 'upscale' ? [] : [job.network.modelId];
  return [...passes.slice(0, 1).map(({ modelId }) => modelId), ...found];
}
