/**
 * Coding-independent code points of colours (ITU-T H.273), as AVIF and HEIC (`nclx`) and PNG (`cICP`) hold
 * them, and the profiles that say the same.
 */
import { buildProfile, type Curve, type Primaries } from './build-profile.ts';

export interface CodePoints {
  primaries: number;
  transfer: number;
}

const d65 = [0.3127, 0.329] as const;

export const srgbPrimaries: Primaries = {
  red: [0.64, 0.33],
  green: [0.3, 0.6],
  blue: [0.15, 0.06],
  white: d65,
};

/** H.273, table 2. Code 2 is unspecified. */
const spaces: Partial<Record<number, { name: string; primaries: Primaries }>> = {
  1: {
    name: 'BT.709',
    primaries: srgbPrimaries,
  },
  4: {
    name: 'BT.470 M',
    primaries: { red: [0.67, 0.33], green: [0.21, 0.71], blue: [0.14, 0.08], white: [0.31, 0.316] },
  },
  5: {
    name: 'BT.601 625',
    primaries: { red: [0.64, 0.33], green: [0.29, 0.6], blue: [0.15, 0.06], white: d65 },
  },
  6: {
    name: 'BT.601 525',
    primaries: { red: [0.63, 0.34], green: [0.31, 0.595], blue: [0.155, 0.07], white: d65 },
  },
  9: {
    name: 'BT.2020',
    primaries: { red: [0.708, 0.292], green: [0.17, 0.797], blue: [0.131, 0.046], white: d65 },
  },
  11: {
    name: 'DCI-P3',
    primaries: {
      red: [0.68, 0.32],
      green: [0.265, 0.69],
      blue: [0.15, 0.06],
      white: [0.314, 0.351],
    },
  },
  12: {
    name: 'Display P3',
    primaries: { red: [0.68, 0.32], green: [0.265, 0.69], blue: [0.15, 0.06], white: d65 },
  },
};
spaces[7] = spaces[6];

/** IEC 61966-2-1. */
export const srgbCurve: Curve = {
  gamma: 2.4,
  a: 1 / 1.055,
  b: 0.055 / 1.055,
  c: 1 / 12.92,
  d: 0.04045,
};
export const powerCurve = (gamma: number): Curve => ({ gamma, a: 1, b: 0, c: 0, d: 0 });

/**
 * H.273, table 3. Pictures of the television codes 1, 6, 14 and 15 are made for the curve of sRGB, as viewers
 * take them.
 */
const curves: Partial<Record<number, Curve>> = {
  1: srgbCurve,
  4: powerCurve(2.2),
  5: powerCurve(2.8),
  6: srgbCurve,
  13: srgbCurve,
  14: srgbCurve,
  15: srgbCurve,
};

export const pq = 16;
export const hlg = 18;
export const isHdr = ({ transfer }: CodePoints): boolean => transfer === pq || transfer === hlg;

export const primariesOf = ({ primaries }: CodePoints): Primaries | undefined =>
  spaces[primaries]?.primaries;

/** Whether the numbers are those of sRGB, or nothing is said of them. */
const isPlain = ({ primaries, transfer }: CodePoints): boolean =>
  [1, 2].includes(primaries) && ([2].includes(transfer) || curves[transfer] === srgbCurve);

/**
 * Builds the profile of code points. It is undefined for sRGB and for what is not specified, and for HDR,
 * whose numbers no such profile can mean.
 */
export function profileOfCodePoints(points: CodePoints): { icc: Buffer; name: string } | undefined {
  const space = spaces[points.primaries === 2 ? 1 : points.primaries];
  const curve = curves[points.transfer === 2 ? 13 : points.transfer];
  if (isPlain(points) || !space || !curve) return undefined;
  const isSrgbCurve = curve === srgbCurve;
  const name = isSrgbCurve
    ? space.name
    : curve.gamma === 1
      ? `${space.name} linear`
      : `${space.name} gamma ${curve.gamma}`;
  return { icc: buildProfile(name, space.primaries, curve), name };
}

/** The profile of tone-mapped HDR: its primaries with the curve of sRGB. */
export function mappedProfile(points: CodePoints): Buffer | undefined {
  const space = spaces[points.primaries];
  if (!space || points.primaries === 1) return undefined;
  return buildProfile(space.name, space.primaries, srgbCurve);
}

/** ROMM RGB's primaries (ISO 22028-2) with the curve of sRGB, in which RAW is developed. */
export const rawProfile = (): Buffer =>
  buildProfile(
    'ProPhoto primaries, sRGB curve',
    {
      red: [0.7347, 0.2653],
      green: [0.1596, 0.8404],
      blue: [0.0366, 0.0001],
      white: [0.3457, 0.3585],
    },
    srgbCurve,
  );
