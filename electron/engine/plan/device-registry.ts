/** State of each device and measured speeds: the data behind GET /api/devices and estimates. */
import { availableParallelism, cpus } from 'node:os';
import type { GraphicsCard } from '../../../packages/contract/src/models/model.ts';
import { processorName } from '../../../packages/contract/src/models/processor-name.ts';
import type {
  DeviceReport,
  DeviceKnowledge,
  Provider,
  SpeedMeasurement,
} from '../protocol/messages.ts';
import { isCalm, medianSpeed } from './speeds.ts';
import { openMeasurements, type MeasurementFile } from './measurement-file.ts';

/** Speeds of which the median is taken: one photo beside other programs does not count. */
const maxRecent = 5;

type DeviceState = DeviceReport['devices'][number];

export interface DeviceRegistry {
  report(): DeviceKnowledge;
  /** Sets a device's state. Only one device is in use: setting a second one makes the first available. */
  setDevice(provider: Provider, state: DeviceState['state'], reason?: string): void;
  setSpeed(speed: SpeedMeasurement): void;
  speedOf(speed: Omit<SpeedMeasurement, 'megapixelsPerSecond'>): SpeedMeasurement | undefined;
}

export function deviceName(provider: Provider): string {
  const names = { cuda: 'CUDA', dml: 'DirectML', coreml: 'CoreML', webgpu: 'WebGPU' };
  if (provider !== 'cpu') return names[provider];
  const name = cpus()[0]?.model.trim() ?? 'CPU';
  return processorName({ name, threads: availableParallelism() });
}

function isSpeed(value: unknown): value is SpeedMeasurement {
  if (typeof value !== 'object' || value === null) return false;
  const {
    modelId,
    scale,
    provider,
    precision,
    megapixelsPerSecond,
    recent = [],
  } = value as {
    [Name in keyof SpeedMeasurement]?: unknown;
  };
  const isText = [modelId, provider, precision].every((one) => typeof one === 'string');
  const numbers: unknown[] = [scale, megapixelsPerSecond];
  return (
    isText &&
    Array.isArray(recent) &&
    numbers.concat(recent).every((one) => typeof one === 'number')
  );
}

/**
 * Opens the file of measured speeds. The inference thread writes it; the host reads it before its first
 * engine starts.
 */
export const openSpeeds = (cacheDir: string | undefined): MeasurementFile<SpeedMeasurement> =>
  openMeasurements(cacheDir, 'speeds.json', isSpeed);

/** Records a photo's speed. One beside other programs counts only among its like, until a calm one is known. */
export function recordSpeed(registry: DeviceRegistry, measured: SpeedMeasurement): void {
  const known = registry.speedOf(measured);
  if (isCalm(known) && measured.isBusy) return;
  const isAlike = known?.isDoubtful !== true && known?.isBusy === measured.isBusy;
  const before = known && isAlike ? (known.recent ?? [known.megapixelsPerSecond]) : [];
  const recent = [...before, measured.megapixelsPerSecond].slice(-maxRecent);
  registry.setSpeed({ ...measured, megapixelsPerSecond: medianSpeed(recent), recent });
}

/** Stores a speed that was measured on tiles, not a doubtful one over a photo's. @returns the one that is known now */
export function storeSpeed(registry: DeviceRegistry, measured: SpeedMeasurement): SpeedMeasurement {
  const known = registry.speedOf(measured);
  const isKept = measured.isDoubtful === true && known !== undefined && !known.isDoubtful;
  const speed = isKept ? known : measured;
  registry.setSpeed(speed);
  return speed;
}

const keyOf = (s: Omit<SpeedMeasurement, 'megapixelsPerSecond'>) =>
  `${s.modelId} x${s.scale} ${s.provider} ${s.precision}`;

export function openDeviceRegistry(
  cacheDir: string | undefined,
  providers: readonly Provider[],
  onChange: (report: DeviceKnowledge) => void,
  cards: GraphicsCard[] = [],
): DeviceRegistry {
  const speeds = openSpeeds(cacheDir);
  const devices = new Map<Provider, DeviceState>(
    providers.map((provider) => [
      provider,
      { provider, name: deviceName(provider), state: 'unchecked' },
    ]),
  );
  const report = () => ({
    devices: [...devices.values()],
    speeds: speeds.all().map(([, speed]) => speed),
    graphicsCards: cards,
  });
  return {
    report,
    setDevice(provider, state, reason) {
      const name = deviceName(provider);
      if (state === 'in-use')
        for (const [other, known] of devices)
          if (known.state === 'in-use') devices.set(other, { ...known, state: 'available' });
      devices.set(provider, { provider, name, state, ...(reason && { reason }) });
      onChange(report());
    },
    setSpeed(speed) {
      speeds.set(keyOf(speed), speed);
      onChange(report());
    },
    speedOf: (speed) => speeds.get(keyOf(speed)),
  };
}
