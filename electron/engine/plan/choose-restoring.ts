/**
 * Chooses how much damage a network is told to take off a photo, and how much grain is laid on, from what was
 * measured and what a person asked for. This is pure.
 */
import type { NetworkCondition } from '../../contract/models/model.ts';
import type { Grain, Restore } from '../../contract/request.ts';
import type { MeasuredDamage } from '../../contract/task.ts';
import type { Damage } from '../protocol/damage.ts';

/** Damage in the units of a network's condition, where 0 is no damage. */
export interface Restoring {
  jpeg: number;
  noise: number;
}

/** Grain: its deviation in levels of 255, and its softness in pixels of the picture that it is laid over. */
export interface LaidGrain {
  deviation: number;
  softnessPx: number;
}

const mostJpeg = 1.05;
const mostNoise = 1.33;
const noiseUnit = 15;
const worstQuality = 40;
const qualityUnit = 60;

/** Fine texture alone measures up to about this many levels, so a photo with less noise stays as it is. */
const leastNoise = 1.5;
/** From this many levels on all noise is taken off; from `leastNoise` up to this, a growing part. */
const plainNoise = 3;
/** The levels of noise that `restore: 100` takes off. */
const strongestNoise = 10;

export const nothingTaken: Restoring = { jpeg: 0, noise: 0 };

export function chooseRestoring(wanted: Restore, damage: Damage | undefined): Restoring {
  if (wanted !== 'auto') {
    const part = wanted / 100;
    return {
      jpeg: (part * (100 - worstQuality)) / qualityUnit,
      noise: (part * strongestNoise) / noiseUnit,
    };
  }
  if (!damage) return nothingTaken;
  const { jpegQuality = 100, deviation } = damage;
  const noise = noiseToTake(deviation) / noiseUnit;
  return {
    jpeg: Math.min(Math.max((100 - jpegQuality) / qualityUnit, 0), mostJpeg),
    noise: Math.min(noise, mostNoise),
  };
}

function noiseToTake(deviation: number): number {
  if (deviation >= plainNoise) return deviation;
  return (plainNoise * Math.max(0, deviation - leastNoise)) / (plainNoise - leastNoise);
}

/** Makes the note for the record where `restore` was asked for with a network that has no condition. */
export const idleRestoreNotes = (
  wanted: Restore | undefined,
  networks: readonly { modelId: string; condition?: NetworkCondition }[],
): string[] =>
  typeof wanted !== 'number' || networks[0] === undefined || networks[0].condition
    ? []
    : [
        `${networks[0].modelId} cannot be told how much to take off, so restore ${wanted} changed nothing.`,
      ];

/** Gives the condition's values in the order in which the network takes them. */
export const conditionOf = ({ values }: NetworkCondition, restoring: Restoring): number[] =>
  values.map((kind) => restoring[kind]);

/** The levels of grain that `grain: 100` lays on. */
const strongestGrain = 12;
/** An enlarged pixel of the photo is itself about as soft as a Gaussian of this deviation, in pixels. */
const pixelSoftness = 0.35;

/** @param scale the result's pixels for each pixel of the photo, along a side */
export function chooseGrain(
  wanted: Grain | undefined,
  damage: Damage | undefined,
  scale: number,
): LaidGrain | undefined {
  if (wanted === undefined || wanted === 0) return undefined;
  const { deviation: own = 0, softnessPx: soft = 0 } = damage ?? {};
  const deviation =
    wanted === 'auto' ? (own < leastNoise ? 0 : own) : (wanted / 100) * strongestGrain;
  if (deviation === 0) return undefined;
  const softnessPx = scale === 1 ? soft : Math.hypot(soft, pixelSoftness) * scale;
  return { deviation, softnessPx };
}

const rounded = (value: number, digits = 1) => Number(value.toFixed(digits));

/** Puts the measured damage into the form of the task's record. */
export function recordOfDamage(
  damage: Damage,
  wanted: Restore,
  restoring: Restoring | undefined,
  grain: LaidGrain | undefined,
): MeasuredDamage {
  const { jpegQuality, toldBy, deviation, softnessPx, blockiness } = damage;
  return {
    ...(jpegQuality !== undefined && { jpegQuality }),
    toldBy,
    noise: rounded(deviation),
    softnessPx: rounded(softnessPx, 2),
    blockiness: rounded(blockiness, 2),
    ...(restoring && { restored: takenOff(restoring) }),
    ...(grain && {
      grain: { deviation: rounded(grain.deviation), softnessPx: rounded(grain.softnessPx, 2) },
    }),
    why: [whatWasFound(damage), ...(restoring ? [whatWasDone(wanted, restoring)] : [])].join(' '),
  };
}

function takenOff({ jpeg, noise }: Restoring): NonNullable<MeasuredDamage['restored']> {
  const quality = jpeg > 0 ? { jpegQuality: Math.round(100 - jpeg * qualityUnit) } : {};
  return { ...quality, noise: rounded(noise * noiseUnit) };
}

const tellers = {
  tables: 'its quantisation tables say',
  header: 'its header says',
  pixels: 'its pixels show',
} as const;

function whatWasFound({ jpegQuality, toldBy, deviation }: Damage): string {
  const compressed =
    jpegQuality === undefined || toldBy === 'nothing'
      ? 'No trace of JPEG was found'
      : `Compressed as a JPEG of quality ${jpegQuality}, as ${tellers[toldBy]}`;
  const noise = deviation < leastNoise ? 'no noise' : `noise of ${rounded(deviation)} levels`;
  return `${compressed}, and ${noise}.`;
}

function whatWasDone(wanted: Restore, { jpeg, noise }: Restoring): string {
  if (wanted !== 'auto') return `Restored by ${wanted} of 100, as asked.`;
  if (jpeg === 0 && noise === 0) return 'So nothing was taken off.';
  return 'So much was taken off.';
}
