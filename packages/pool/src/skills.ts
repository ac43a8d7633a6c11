/**
 * Which jobs a machine may run. A model's digest covers its networks' hashes and how they are used, so equal
 * digests mean equal networks. With equal precision, results are equal within the tolerance of devices.
 */
import { createHash } from 'node:crypto';
import type { ModelDescriptor } from '../../contract/src/models/model.ts';
import type { Job, SpeedMeasurement } from '../../../electron/engine/protocol/messages.ts';
import type { Capability } from './messages.ts';

/** Cached, since it is needed several times a second and descriptors never change. */
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

/** Sorts the fields of each object by name. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(entries.map(([name, field]) => [name, sorted(field)]));
}

/**
 * Capability of this machine for a model; undefined until the engine has chosen among several precisions.
 * @param speeds measured here, latest last
 */
export function capabilityOf(
  model: ModelDescriptor,
  speeds: readonly Pick<SpeedMeasurement, 'modelId' | 'precision'>[],
): Omit<Capability, 'megapixelsPerSecond'> | undefined {
  const there = new Set(model.networks.flatMap(({ variants }) => variants.map((v) => v.precision)));
  const [only] = there.size === 1 ? there : [];
  const precision = only ?? speeds.findLast(({ modelId }) => modelId === model.id)?.precision;
  return precision === undefined
    ? undefined
    : { model: model.id, digest: digestOf(model), precision };
}

/** Queue of all jobs for machines with this capability. */
export const queueOf = ({ digest, precision }: Pick<Capability, 'digest' | 'precision'>) =>
  `work-${digest}-${precision}`;

/**
 * Models that a job needs. The first one takes most of its time and determines the queue. Empty for a job
 * without a network.
 */
export function modelsOf(job: Job): string[] {
  if (job.operation === 'convert') return [];
  const passes = job.operation === 'upscale' ? job.passes : (job.enlarge?.passes ?? []);
  const found = job.operation === 'upscale' ? [] : [job.network.modelId];
  return [...passes.slice(0, 1).map(({ modelId }) => modelId), ...found];
}
