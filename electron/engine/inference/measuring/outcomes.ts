/**
 * Persists the outcomes of device checks. An outcome applies to one weight file, onnxruntime version, machine
 * and set of graphics drivers. Successes are valid for a month, failures for a day, so that a repaired driver
 * is tried again, and what was measured or ran out of time on a busy machine for an hour.
 */
import { createHash } from 'node:crypto';
import { createRequire } from 'node:module';
import { cpus, release } from 'node:os';
import type { GraphicsCard, Precision } from '../../../../packages/contract/src/models/model.ts';
import type { Provider, AnyNetworkFile } from '../../protocol/messages.ts';
import type { CheckOutcome } from '../checks/check.ts';
import { runtimeVariable } from '../../host/engine-environment.ts';
import { chosenCard, driversOf, graphicsCards } from '../../host/graphics-cards.ts';
import { processorHere } from './processor.ts';
import { openMeasurements } from '../../plan/measurement-file.ts';

export interface Outcomes {
  get(network: AnyNetworkFile, precision: Precision, provider: Provider): CheckOutcome | undefined;
  set(
    network: AnyNetworkFile,
    precision: Precision,
    provider: Provider,
    outcome: CheckOutcome,
  ): void;
}

type DatedOutcome = CheckOutcome & { at: number };

const hourMs = 60 * 60 * 1000;
const dayMs = 24 * hourMs;

function validMs(outcome: CheckOutcome): number {
  if (outcome.ok) return outcome.isDoubtful ? hourMs : 30 * dayMs;
  return outcome.timedOut ? hourMs : dayMs;
}

function onnxruntimeVersion(): string {
  const found: unknown = createRequire(import.meta.url)('onnxruntime-node/package.json');
  const has = typeof found === 'object' && found !== null && 'version' in found;
  return has ? String(found.version) : 'unknown';
}

/** Identifies everything except the network on which an outcome depends. */
function machine(cards: readonly GraphicsCard[]): string {
  const { platform, arch } = process;
  const system = [onnxruntimeVersion(), platform, arch, release(), cpus()[0]?.model];
  system.push(`${processorHere().logical} threads in turns`);
  const added = process.env[runtimeVariable];
  const extras = [...(chosenCard() > 0 ? [chosenCard()] : []), ...(added ? [added] : [])];
  return [...system, driversOf(cards), ...extras].join();
}

function isDatedOutcome(value: unknown): value is DatedOutcome {
  if (typeof value !== 'object' || value === null || !('ok' in value) || !('at' in value)) {
    return false;
  }
  return value.ok === true
    ? 'tilePx' in value && 'megapixelsPerSecond' in value
    : 'reason' in value;
}

/** The fields of a descriptor that change the numbers computed by a device. */
function contractKey(network: AnyNetworkFile): string {
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
  const file = openMeasurements(cacheDir, 'devices.json', isDatedOutcome);
  const machineKey = machine(cards);
  const keyOf = (network: AnyNetworkFile, precision: Precision, provider: Provider) => {
    const file = network.variants.find((v) => v.precision === precision)?.sha256 ?? 'none';
    const parts = [file, provider, machineKey, contractKey(network)];
    if (precision === 'int8') parts.push('pictures in columns');
    const hash = createHash('sha256').update(parts.join('\n'));
    const name = 'scale' in network ? `${network.modelId}-x${network.scale}` : network.modelId;
    return `${name} ${precision} ${provider} ${hash.digest('hex').slice(0, 16)}`;
  };
  return {
    get(network, precision, provider) {
      const found = file.get(keyOf(network, precision, provider));
      const age = now() - (found?.at ?? 0);
      return found && age >= 0 && age < validMs(found) ? found : undefined;
    },
    set(network, precision, provider, outcome) {
      file.set(keyOf(network, precision, provider), { ...outcome, at: now() });
    },
  };
}
