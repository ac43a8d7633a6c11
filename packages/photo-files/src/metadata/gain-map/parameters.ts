/**
 * Parameters of an HDR gain map: as XMP (Adobe's gain map specification 1.0, Ultra HDR 1.0), in the binary form
 * of ISO 21496-1, and as Apple's headroom.
 *
 * The light of an HDR display is (base + baseOffset) * 2 ** (gain * weight) - alternateOffset, with the gain
 * between `min` and `max` by the map's value to the power 1 / `gamma`.
 */
import type { Xmp } from '../xmp/xmp.ts';

export interface GainMapParameters {
  /** Logarithms to the base 2; one number for all colours, or three. */
  min: number[];
  max: number[];
  gamma: number[];
  /** Offset of the base picture's light. */
  baseOffset: number[];
  alternateOffset: number[];
  /** Logarithms of the displays' headroom from which the map begins to be applied, and is applied wholly. */
  baseHeadroom: number;
  alternateHeadroom: number;
  /** Whether gains are in the base picture's colour space instead of the map's own profile. */
  usesBaseColours: boolean;
}

const channelNames = ['min', 'max', 'gamma', 'baseOffset', 'alternateOffset'] as const;

/** Whether the colours are gained differently, so that a map of equal colours is none of grey. */
export const hasThreeGains = (parameters: GainMapParameters): boolean =>
  channelNames.some((name) => parameters[name].length === 3);

/** Whether the parameters describe a map that brightens an ordinary base picture. */
const isUsable = (parameters: GainMapParameters): boolean => {
  const { min, max, gamma, baseHeadroom, alternateHeadroom } = parameters;
  const lists = channelNames.map((name) => parameters[name]);
  return (
    lists.every(
      (list) => (list.length === 1 || list.length === 3) && list.every(Number.isFinite),
    ) &&
    gamma.every((value) => value > 0) &&
    max.every((value, i) => value >= (min[i] ?? min[0] ?? 0)) &&
    baseHeadroom >= 0 &&
    alternateHeadroom > baseHeadroom &&
    Number.isFinite(alternateHeadroom)
  );
};

const usable = (parameters: GainMapParameters): GainMapParameters | undefined =>
  isUsable(parameters) ? parameters : undefined;

const defaultOffset = 1 / 64;

/** Reads the gain map picture's XMP; undefined if it has none, or the base picture is the HDR one. */
export function parametersOfXmp(xmp: Xmp): GainMapParameters | undefined {
  const numbers = (name: string, byDefault: number[]) => {
    const found = xmp.numbers('hdrgm', name);
    return found.length > 0 ? found : byDefault;
  };
  if (/true/i.test(xmp.get('hdrgm', 'BaseRenditionIsHDR') ?? '')) return undefined;
  return usable({
    min: numbers('GainMapMin', [0]),
    max: numbers('GainMapMax', []),
    gamma: numbers('Gamma', [1]),
    baseOffset: numbers('OffsetSDR', [defaultOffset]),
    alternateOffset: numbers('OffsetHDR', [defaultOffset]),
    baseHeadroom: numbers('HDRCapacityMin', [0])[0] ?? 0,
    alternateHeadroom: numbers('HDRCapacityMax', [Number.NaN])[0] ?? Number.NaN,
    usesBaseColours: true,
  });
}

/** The parameters as an XMP packet of the gain map picture. */
export function xmpOfParameters(parameters: GainMapParameters): string {
  const { min, max, gamma, baseOffset, alternateOffset } = parameters;
  const list = (name: string, values: readonly number[]) =>
    `<hdrgm:${name}>${
      values.length === 1
        ? String(values[0])
        : `<rdf:Seq>${values.map((value) => `<rdf:li>${value}</rdf:li>`).join('')}</rdf:Seq>`
    }</hdrgm:${name}>`;
  return [
    '<x:xmpmeta xmlns:x="adobe:ns:meta/">',
    '<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">',
    '<rdf:Description rdf:about="" xmlns:hdrgm="http://ns.adobe.com/hdr-gain-map/1.0/"',
    ` hdrgm:Version="1.0" hdrgm:HDRCapacityMin="${parameters.baseHeadroom}"`,
    ` hdrgm:HDRCapacityMax="${parameters.alternateHeadroom}" hdrgm:BaseRenditionIsHDR="False">`,
    list('GainMapMin', min),
    list('GainMapMax', max),
    list('Gamma', gamma),
    list('OffsetSDR', baseOffset),
    list('OffsetHDR', alternateOffset),
    '</rdf:Description></rdf:RDF></x:xmpmeta>',
  ].join('');
}

/** Bits of the flags of ISO 21496-1; the two lower ones are of libultrahdr's drafts. */
const flags = { threeChannels: 0x80, baseColours: 0x40, oneDenominator: 0x08, backward: 0x04 };
const versionBytes = 4;

/**
 * Reads the binary form behind its name (JPEG) or version (HEIF).
 *
 * @throws RangeError if the bytes end too early
 */
export function parametersOfIso(bytes: Buffer): GainMapParameters | undefined {
  const minimumVersion = bytes.readUInt16BE(0);
  const own = bytes.readUInt8(versionBytes);
  if (minimumVersion > 0 || (own & flags.backward) !== 0) return undefined;
  let at = versionBytes + 1;
  const next = (isSigned: boolean): number => {
    at += 4;
    return isSigned ? bytes.readInt32BE(at - 4) : bytes.readUInt32BE(at - 4);
  };
  const shared = (own & flags.oneDenominator) === 0 ? undefined : next(false);
  const fraction = (isSigned: boolean) => next(isSigned) / (shared ?? next(false));
  const [baseHeadroom, alternateHeadroom] = [fraction(false), fraction(false)];
  const parameters: GainMapParameters = {
    ...{ min: [], max: [], gamma: [], baseOffset: [], alternateOffset: [] },
    ...{ baseHeadroom, alternateHeadroom },
    usesBaseColours: (own & flags.baseColours) !== 0,
  };
  const channels = (own & flags.threeChannels) === 0 ? 1 : 3;
  for (let channel = 0; channel < channels; channel += 1)
    for (const name of channelNames) parameters[name].push(fraction(name !== 'gamma'));
  return usable(parameters);
}

const denominator = 1_000_000;

/** Writes the binary form of ISO 21496-1, annex C. */
export function isoOfParameters(parameters: GainMapParameters): Buffer {
  const lists = channelNames.map((name) => parameters[name]);
  const channels = Math.max(...lists.map(({ length }) => length));
  const head = Buffer.alloc(versionBytes + 1);
  head[versionBytes] =
    (channels === 3 ? flags.threeChannels : 0) |
    (parameters.usesBaseColours ? flags.baseColours : 0);
  const numbers = [parameters.baseHeadroom, parameters.alternateHeadroom];
  for (let channel = 0; channel < channels; channel += 1)
    numbers.push(...lists.map((list) => list[channel] ?? list[0] ?? 0));
  const fractions = Buffer.alloc(8 * numbers.length);
  for (const [i, value] of numbers.entries()) {
    const isInteger = Number.isInteger(value);
    fractions.writeInt32BE(isInteger ? value : Math.round(value * denominator), 8 * i);
    fractions.writeUInt32BE(isInteger ? 1 : denominator, 8 * i + 4);
  }
  return Buffer.concat([head, fractions]);
}

/** A base picture declares by its version alone that a map accompanies it. */
export const isoVersion = (): Buffer => Buffer.alloc(versionBytes);

/**
 * Parameters of a map that was converted from Apple's (`appleGain`).
 *
 * @param headroom of the brightest pixel over white, more than 1
 */
export const parametersOfHeadroom = (headroom: number): GainMapParameters | undefined =>
  usable({
    ...{ min: [0], max: [Math.log2(headroom)], gamma: [1] },
    ...{ baseOffset: [0], alternateOffset: [0] },
    ...{ baseHeadroom: 0, alternateHeadroom: Math.log2(headroom), usesBaseColours: true },
  });

/**
 * Headroom by the tags 33 (HDRHeadroom) and 48 (HDRGain) of Apple's maker notes (Apple, "Applying Apple HDR
 * effect to your photos").
 */
export function headroomOfApple(tag33: number, tag48: number): number {
  const isLow = tag48 <= 0.01;
  const stops =
    tag33 < 1
      ? isLow
        ? -20 * tag48 + 1.8
        : -0.101 * tag48 + 1.601
      : isLow
        ? -70 * tag48 + 3
        : -0.303 * tag48 + 2.303;
  return 2 ** Math.max(stops, 0);
}

/** Decodes the curve of BT.709, by which Apple encodes its maps. */
const linearOf709 = (v: number) => (v < 0.081 ? v / 4.5 : ((v + 0.099) / 1.099) ** (1 / 0.45));

/**
 * Levels (0..255) of a map with logarithmic gains for the levels of Apple's map, whose gain is
 * 1 + (headroom - 1) * light.
 */
export const levelsOfApple = (headroom: number): Uint8Array =>
  Uint8Array.from({ length: 256 }, (_, level) => {
    const gain = 1 + (headroom - 1) * linearOf709(level / 255);
    return Math.round((255 * Math.log2(gain)) / Math.log2(headroom));
  });
