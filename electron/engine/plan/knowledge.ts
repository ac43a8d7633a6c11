/** Holds what GET /api/devices and estimates are made of: each device's state, and measured speeds. */
import { availableParallelism, cpus } from 'node:os';
import type { GraphicsCard } from '../../contract/models/model.ts';
import type { DeviceReport, Known, Provider, SpeedMeasurement } from '../protocol/messages.ts';
import { mixedSpeed } from './speeds.ts';
import { openKept, type Kept } from './kept.ts';

type DeviceState = DeviceReport['devices'][number];

export interface Knowledge {
  report(): Known;
  /** Sets a device's state. Only one device is in use: setting a second one makes the first available. */
  setDevice(provider: Provider, state: DeviceState['state'], reason?: string): void;
  setSpeed(speed: SpeedMeasurement): void;
  speedOf(speed: Omit<SpeedMeasurement, 'megapixelsPerSecond'>): SpeedMeasurement | undefined;
}

export function deviceName(provider: Provider): string {
  const names = { cuda: 'CUDA', dml: 'DirectML', coreml: 'CoreML', webgpu: 'WebGPU' };
  if (provider !== 'cpu') return names[provider];
  return `${cpus()[0]?.model.trim() ?? 'CPU'}, ${availableParallelism()} threads`;
}

function isSpeed(value: unknown): value is SpeedMeasurement {
  if (typeof value !== 'object' || value === null) return false;
  const { modelId, scale, provider, precision, megapixelsPerSecond } = value as {
    [Name in keyof SpeedMeasurement]?: unknown;
  };
  const isText = [modelId, provider, precision].every((one) => typeof one === 'string');
  return isText && typeof scale === 'number' && typeof megapixelsPerSecond === 'number';
}

/**
 * Opens the file of measured speeds, which is the only place where they are kept: the inference thread writes
 * it, and the host reads it before its first engine.
 */
export const openSpeeds = (cacheDir: string | undefined): Kept<SpeedMeasurement> =>
  openKept(cacheDir, 'speeds.json', isSpeed);

export function learnSpeed(knowledge: Knowledge, measured: SpeedMeasurement): void {
  const known = knowledge.speedOf(measured)?.megapixelsPerSecond;
  const megapixelsPerSecond = mixedSpeed(known, measured.megapixelsPerSecond);
  knowledge.setSpeed({ ...measured, megapixelsPerSecond });
}

const keyOf = (s: Omit<SpeedMeasurement, 'megapixelsPerSecond'>) =>
  `${s.modelId} x${s.scale} ${s.provider} ${s.precision}`;

export function openKnowledge(
  cacheDir: string | undefined,
  providers: readonly Provider[],
  onChange: (report: Known) => void,
  cards: GraphicsCard[] = [],
): Knowledge {
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
