/**
 * Decides how strongly a network restores a photo and how much grain is added, by the measured damage and the
 * options. Pure.
 */
import { note } from '../../../packages/contract/src/notes/notes.ts';
import type { NetworkCondition } from '../../../packages/contract/src/models/model.ts';
import type { Grain, Restore } from '../../../packages/contract/src/request.ts';
import type { MeasuredDamage } from '../../../packages/contract/src/task.ts';
import type { Damage } from '../protocol/damage.ts';

/** Damage in the units of a network's condition; 0 is none. */
export interface Restoring {
  jpeg: number;
  noise: number;
  blur: number;
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
/** Points of quality below 100 that are 1 in a condition. */
export const qualityUnit = 60;

/** Fine texture alone measures up to about this many levels; less noise is not removed. */
const minNoise = 1.5;
/** From here on all noise is removed; from `minNoise` up to here, a growing part. */
const fullNoise = 3;
/** Levels of noise that `restore: 100` removes. */
const noiseAt100 = 10;

/** Pixels of blur that are 1 in a condition. */
export const blurUnit = 1.5;
/**
 * Too strong a sharpening rings: told 0.3 pixels too many, a sharp edge is 8 dB worse, told as many too few it only
 * stays softer. Hence the measured blur less this many of its expected errors.
 */
const blurErrors = 1.5;
/** Less is not told from a sharp photo; told more, networks make bands of slow gradients of 8 bits. */
const minBlur = 0.6;
const maxBlur = 1;
/** Rounded down to this, so that photos of one camera share a loaded network. */
const blurStep = 0.2;
/** Worse photos are not sharpened, for their blocks and noise would be, too. */
const minSharpenedQuality = 60;
const maxSharpenedNoise = 10;

export const noRestoring: Restoring = { jpeg: 0, noise: 0, blur: 0 };

export function chooseRestoring(requested: Restore, damage: Damage | undefined): Restoring {
  if (requested !== 'auto') {
    const part = requested / 100;
    return {
      jpeg: (part * (100 - worstQuality)) / qualityUnit,
      noise: (part * noiseAt100) / noiseUnit,
      blur: damage ? roundedDown(part * certainBlur(damage)) / blurUnit : 0,
    };
  }
  if (!damage) return noRestoring;
  const { jpegQuality = 100, deviation } = damage;
  const noise = noiseToRemove(deviation) / noiseUnit;
  return {
    jpeg: Math.min(Math.max((100 - jpegQuality) / qualityUnit, 0), maxJpeg),
    noise: Math.min(noise, maxNoise),
    blur: roundedDown(certainBlur(damage)) / blurUnit,
  };
}

/** Returns the part of the blur that is certain and may be removed, in pixels. */
function certainBlur({ blur, jpegQuality = 100, deviation }: Damage): number {
  if (!blur || jpegQuality < minSharpenedQuality || deviation > maxSharpenedNoise) return 0;
  const certain = blur.deviationPx - blurErrors * blur.errorPx;
  return certain < minBlur ? 0 : Math.min(certain, maxBlur);
}

const roundedDown = (px: number) => Math.floor(px / blurStep + 1e-6) * blurStep;

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
    : [note('RESTORE_UNUSED', { model: networks[0].modelId, amount: requested })];

/** Whether a network holds a gentler one's weights as well. */
export const isDialled = (condition: NetworkCondition | undefined): boolean =>
  condition?.values.includes('natural') ?? false;

/**
 * Returns the condition's values in the network's order.
 *
 * @param detail in percent, between the gentler network's weights and the network's own
 */
export const conditionOf = (
  { values }: NetworkCondition,
  restoring: Restoring,
  detail = 100,
): number[] => values.map((kind) => (kind === 'natural' ? 1 - detail / 100 : restoring[kind]));

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
  const { jpegQuality, toldBy, deviation, softnessPx, blockiness, blur } = damage;
  return {
    ...(jpegQuality !== undefined && { jpegQuality }),
    toldBy,
    noise: rounded(deviation),
    softnessPx: rounded(softnessPx, 2),
    blockiness: rounded(blockiness, 2),
    ...(blur && { blurPx: rounded(blur.deviationPx, 2) }),
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

function removedDamage({ jpeg, noise, blur }: Restoring): NonNullable<MeasuredDamage['restored']> {
  const quality = jpeg > 0 ? { jpegQuality: Math.round(100 - jpeg * qualityUnit) } : {};
  const sharpened = blur > 0 ? { blurPx: rounded(blur * blurUnit, 2) } : {};
  return { ...quality, noise: rounded(noise * noiseUnit), ...sharpened };
}

const sources = {
  tables: 'its quantisation tables say',
  header: 'its header says',
  pixels: 'its pixels show',
} as const;

function describeDamage(damage: Damage): string {
  const { jpegQuality, toldBy, deviation } = damage;
  const compressed =
    jpegQuality === undefined || toldBy === 'nothing'
      ? 'No trace of JPEG was found'
      : `Compressed as a JPEG of quality ${jpegQuality}, as ${sources[toldBy]}`;
  const noise = deviation < minNoise ? 'no noise' : `noise of ${rounded(deviation)} levels`;
  const blurPx = certainBlur(damage);
  const soft =
    blurPx > 0 ? ` Its sharpest places are blurred by at least ${rounded(blurPx)} pixels.` : '';
  return `${compressed}, and ${noise}.${soft}`;
}

function describeRestoring(requested: Restore, { jpeg, noise, blur }: Restoring): string {
  if (requested !== 'auto') return `Restored by ${requested} of 100, as asked.`;
  const sharpened = blur === 0 ? '' : ` Sharpened by ${rounded(blur * blurUnit)} pixels.`;
  if (jpeg === 0 && noise === 0) return sharpened.trim() || 'Nothing was removed.';
  return `As much ${blur === 0 ? '' : 'compression and noise '}was removed.${sharpened}`;
}
