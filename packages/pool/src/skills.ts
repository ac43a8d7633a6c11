/**
 * A machine's networks decide which jobs it may run. A model's digest is taken over the hashes of its
 * networks' files and over how they are used, so two machines with the same digest run the same networks.
 * Where the precision is the same too, their results are equal within the tolerance that devices are held to.
 */
import { createHash } from 'node:crypto';
import type { ModelDescriptor } from '../../../electron/contract/models/model.ts';
import type { Job, SpeedMeasurement } from '../../../electron/engine/protocol/messages.ts';
import type { Skill } from './messages.ts';

/** Digests are kept, because each is asked for several times a second and a descriptor never changes. */
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

/** Sorts the fields of each object by their names. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(entries.map(([name, field]) => [name, sorted(field)]));
}

/**
 * Tells what this machine runs a model with. The answer is undefined while its engine has not decided between
 * several precisions.
 * @param speeds the speeds that were measured here, the latest last
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

/** Names the queue of all jobs that a machine with this skill can run. */
export const queueOf = ({ digest, precision }: Pick<Skill, 'digest' | 'precision'>) =>
  `work-${digest}-${precision}`;

/**
 * Lists the models that a job needs. The first is the one that takes most of the job's time, and the job goes
 * into its queue. The list is empty for a job without a network.
 */
export function modelsOf(job: Job): string[] {
  if (job.operation === 'convert') return [];
  const passes = job.operation === 'upscale' ? job.passes : (job.enlarge?.passes ?? []);
  const found = job.operation === 'upscale' ? [] : [job.network.modelId];
  return [...passes.slice(0, 1).map(({ modelId }) => modelId), ...found];
}
