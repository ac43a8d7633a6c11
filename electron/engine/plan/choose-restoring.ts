/**
 * Decides how strongly a network restores a photo and how much grain is added, by the measured damage and the
 * options. Pure.
 */
import type { NetworkCondition } from '../../contract/models/model.ts';
import type { Grain, Restore } from '../../contract/request.ts';
import type { MeasuredDamage } from '../../contract/task.ts';
import type { Damage } from '../protocol/damage.ts';

/** Damage in the units of a network's condition; 0 is none. */
export interface Restoring {
  jpeg: number;
  noise: number;
}

/** Grain to add: standard deviation in levels of 255, softness in pixels of the result. */
export interface GrainSpec {
  deviation: number;
  softnessPx: number;
}

const maxJpeg = 1.05;
const maxNoise = 1.33;
const noiseUnit = 15;
const worstQuality = 40;
const qualityUnit = 60;

/** Fine texture alone measures up to about this many levels; less noise is not removed. */
const minNoise = 1.5;
/** From here on all noise is removed; from `minNoise` up to here, a growing part. */
const fullNoise = 3;
/** Levels of noise that `restore: 100` removes. */
const noiseAt100 = 10;

export const noRestoring: Restoring = { jpeg: 0, noise: 0 };

export function chooseRestoring(requested: Restore, damage: Damage | undefined): Restoring {
  if (requested !== 'auto') {
    const part = requested / 100;
    return {
      jpeg: (part * (100 - worstQuality)) / qualityUnit,
      noise: (part * noiseAt100) / noiseUnit,
    };
  }
  if (!damage) return noRestoring;
  const { jpegQuality = 100, deviation } = damage;
  const noise = noiseToRemove(deviation) / noiseUnit;
  return {
    jpeg: Math.min(Math.max((100 - jpegQuality) / qualityUnit, 0), maxJpeg),
    noise: Math.min(noise, maxNoise),
  };
}

function noiseToRemove(deviation: number): number {
  if (deviation >= fullNoise) return deviation;
  return (fullNoise * Math.max(0, deviation - minNoise)) / (fullNoise - minNoise);
}

/** Note for the record if `restore` was requested of a network without a condition. */
export const unusedRestoreNotes = (
  requested: Restore | undefined,
  networks: readonly { modelId: string; condition?: NetworkCondition }[],
): string[] =>
  typeof requested !== 'number' || networks[0] === undefined || networks[0].condition
    ? []
    : [
        `${networks[0].modelId} cannot be told how much to take off, so restore ${requested} changed nothing.`,
      ];

/** Returns the condition's values in the network's order. */
export const conditionOf = ({ values }: NetworkCondition, restoring: Restoring): number[] =>
  values.map((kind) => restoring[kind]);

/** Levels of grain that `grain: 100` adds. */
const grainAt100 = 12;
/** Softness of an enlarged photo pixel, as the standard deviation of a Gaussian in source pixels. */
const pixelSoftness = 0.35;

/** @param scale result pixels per photo pixel, along a side */
export function chooseGrain(
  requested: Grain | undefined,
  damage: Damage | undefined,
  scale: number,
): GrainSpec | undefined {
  if (requested === undefined || requested === 0) return undefined;
  const { deviation: own = 0, softnessPx: soft = 0 } = damage ?? {};
  const deviation =
    requested === 'auto' ? (own < minNoise ? 0 : own) : (requested / 100) * grainAt100;
  if (deviation === 0) return undefined;
  const softnessPx = scale === 1 ? soft : Math.hypot(soft, pixelSoftness) * scale;
  return { deviation, softnessPx };
}

const rounded = (value: number, digits = 1) => Number(value.toFixed(digits));

/** Converts the measured damage to the form of the task's record. */
export function recordOfDamage(
  damage: Damage,
  requested: Restore,
  restoring: Restoring | undefined,
  grain: GrainSpec | undefined,
): MeasuredDamage {
  const { jpegQuality, toldBy, deviation, softnessPx, blockiness } = damage;
  return {
    ...(jpegQuality !== undefined && { jpegQuality }),
    toldBy,
    noise: rounded(deviation),
    softnessPx: rounded(softnessPx, 2),
    blockiness: rounded(blockiness, 2),
    ...(restoring && { restored: removedDamage(restoring) }),
    ...(grain && {
      grain: { deviation: rounded(grain.deviation), softnessPx: rounded(grain.softnessPx, 2) },
    }),
    why: [
      describeDamage(damage),
      ...(restoring ? [describeRestoring(requested, restoring)] : []),
    ].join(' '),
  };
}

function removedDamage({ jpeg, noise }: Restoring): NonNullable<MeasuredDamage['restored']> {
  const quality = jpeg > 0 ? { jpegQuality: Math.round(100 - jpeg * qualityUnit) } : {};
  return { ...quality, noise: rounded(noise * noiseUnit) };
}

const sources = {
  tables: 'its quantisation tables say',
  header: 'its header says',
  pixels: 'its pixels show',
} as const;

function describeDamage({ jpegQuality, toldBy, deviation }: Damage): string {
  const compressed =
    jpegQuality === undefined || toldBy === 'nothing'
      ? 'No trace of JPEG was found'
      : `Compressed as a JPEG of quality ${jpegQuality}, as ${sources[toldBy]}`;
  const noise = deviation < minNoise ? 'no noise' : `noise of ${rounded(deviation)} levels`;
  return `${compressed}, and ${noise}.`;
}

function describeRestoring(requested: Restore, { jpeg, noise }: Restoring): string {
  if (requested !== 'auto') return `Restored by ${requested} of 100, as asked.`;
  if (jpeg === 0 && noise === 0) return 'Nothing was removed.';
  return 'As much was removed.';
}
