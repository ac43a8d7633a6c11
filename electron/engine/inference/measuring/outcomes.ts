/**
 * Keeps the outcomes of checks of networks on devices between starts. An outcome holds for one file of
 * weights, one version of onnxruntime, one machine and the drivers of its graphics cards. A good outcome
 * holds for a month, a bad one for a day, so that a repaired driver is tried again.
 */
import { createHash } from 'node:crypto';
import { createRequire } from 'node:module';
import { availableParallelism, cpus, release } from 'node:os';
import type { GraphicsCard, Precision } from '../../../contract/models/model.ts';
import type { Provider, AnyNetworkFile } from '../../protocol/messages.ts';
import type { CheckOutcome } from '../checks/check.ts';
import { runtimeVariable } from '../../host/engine-environment.ts';
import { chosenCard, driversOf, graphicsCards } from '../../host/graphics-cards.ts';
import { openKept } from '../../plan/kept.ts';

export interface Outcomes {
  get(network: AnyNetworkFile, precision: Precision, provider: Provider): CheckOutcome | undefined;
  set(
    network: AnyNetworkFile,
    precision: Precision,
    provider: Provider,
    outcome: CheckOutcome,
  ): void;
}

type Dated = CheckOutcome & { at: number };

const dayMs = 24 * 60 * 60 * 1000;
const holdsMs = (outcome: CheckOutcome) => (outcome.ok ? 30 : 1) * dayMs;

function onnxruntimeVersion(): string {
  const found: unknown = createRequire(import.meta.url)('onnxruntime-node/package.json');
  const has = typeof found === 'object' && found !== null && 'version' in found;
  return has ? String(found.version) : 'unknown';
}

/** Names everything beside the network that an outcome depends on. */
function machine(cards: readonly GraphicsCard[]): string {
  const { platform, arch } = process;
  const system = [onnxruntimeVersion(), platform, arch, release(), cpus()[0]?.model];
  system.push(`${availableParallelism()} threads in turns`);
  const added = process.env[runtimeVariable];
  const apart = [...(chosenCard() > 0 ? [chosenCard()] : []), ...(added ? [added] : [])];
  return [...system, driversOf(cards), ...apart].join();
}

function isDated(value: unknown): value is Dated {
  if (typeof value !== 'object' || value === null || !('ok' in value) || !('at' in value)) {
    return false;
  }
  return value.ok === true
    ? 'tilePx' in value && 'megapixelsPerSecond' in value
    : 'reason' in value;
}

/** Names the fields of a descriptor that change the numbers which a device computes. */
function needsOf(network: AnyNetworkFile): string {
  const { layout, channels, range } = network;
  if ('scale' in network)
    return [layout, channels, range, network.marginPx, network.multiple, network.fixedPx].join();
  const { mean, deviation, size, outputPlane, activation } = network;
  return [
    layout,
    channels,
    range,
    mean,
    deviation,
    JSON.stringify(size),
    outputPlane,
    activation,
  ].join();
}

export function openOutcomes(
  cacheDir: string | undefined,
  now: () => number = Date.now,
  cards: readonly GraphicsCard[] = graphicsCards(),
): Outcomes {
  const kept = openKept(cacheDir, 'devices.json', isDated);
  const place = machine(cards);
  const keyOf = (network: AnyNetworkFile, precision: Precision, provider: Provider) => {
    const file = network.variants.find((v) => v.precision === precision)?.sha256 ?? 'none';
    const asked = [file, provider, place, needsOf(network)];
    if (precision === 'int8') asked.push('large tiles in steps');
    const hash = createHash('sha256').update(asked.join('\n'));
    const name = 'scale' in network ? `${network.modelId}-x${network.scale}` : network.modelId;
    return `${name} ${precision} ${provider} ${hash.digest('hex').slice(0, 16)}`;
  };
  return {
    get(network, precision, provider) {
      const found = kept.get(keyOf(network, precision, provider));
      const age = now() - (found?.at ?? 0);
      return found && age >= 0 && age < holdsMs(found) ? found : undefined;
    },
    set(network, precision, provider, outcome) {
      kept.set(keyOf(network, precision, provider), { ...outcome, at: now() });
    },
  };
}
