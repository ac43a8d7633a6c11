/**
 * Maps PQ and HLG (ITU-R BT.2100) to the brightness of an ordinary screen by the EETF of BT.2390, section 5.4.
 * White is at 203 cd/m2 (BT.2408), so a picture that goes no higher keeps its numbers' meaning exactly.
 */
type ColourSamples = Uint8Array | Uint16Array;
import { rgbToXyz, type Primaries } from './build-profile.ts';

/** Diffuse white of HDR pictures, in cd/m2. */
const whiteNits = 203;
const pqPeakNits = 10_000;
/** The screen for which HLG's system gamma is 1.2. */
const hlgPeakNits = 1000;

const m1 = 2610 / 16_384;
const m2 = (2523 / 4096) * 128;
const c1 = 3424 / 4096;
const c2 = (2413 / 4096) * 32;
const c3 = (2392 / 4096) * 32;

/** From PQ's 0..1 to cd/m2. */
export function nitsOfPq(value: number): number {
  const power = value ** (1 / m2);
  return pqPeakNits * (Math.max(power - c1, 0) / (c2 - c3 * power)) ** (1 / m1);
}

function pqOfNits(nits: number): number {
  const power = (nits / pqPeakNits) ** m1;
  return ((c1 + c2 * power) / (1 + c3 * power)) ** m2;
}

/** From HLG's 0..1 to the scene's light, 0..1 (BT.2100, table 5). */
function sceneOfHlg(value: number): number {
  const [a, b, c] = [0.178_832_77, 0.284_668_92, 0.559_910_73];
  return value <= 0.5 ? value ** 2 / 3 : (Math.exp((value - c) / a) + b) / 12;
}

/** The EETF for a picture whose brightest sample is `peakNits`, from cd/m2 to cd/m2 of at most white. */
function eetf(peakNits: number): (nits: number) => number {
  if (peakNits <= whiteNits) return (nits) => nits;
  const peak = pqOfNits(peakNits);
  const target = pqOfNits(whiteNits) / peak;
  const knee = 1.5 * target - 0.5;
  return (nits) => {
    const e = pqOfNits(nits) / peak;
    if (e <= knee) return nits;
    const t = (e - knee) / (1 - knee);
    const spline =
      (2 * t ** 3 - 3 * t ** 2 + 1) * knee +
      (t ** 3 - 2 * t ** 2 + t) * (1 - knee) +
      (-2 * t ** 3 + 3 * t ** 2) * target;
    return nitsOfPq(Math.min(spline, target) * peak);
  };
}

const encodeSrgb = (v: number) => (v <= 0.003_130_8 ? v * 12.92 : 1.055 * v ** (1 / 2.4) - 0.055);
/** Entries of a table by the square root of light, which spends its steps on the shadows. */
const tableSteps = 65_536;

/** How numbers encode light that is not shown as they are: PQ, HLG, or a power of the number. */
export interface LightEncoding {
  curve: 'pq' | 'hlg' | number;
  primaries: Primaries;
}

export interface ToneMapper {
  /** Takes samples into account for the picture's peak. */
  measure(samples: ColourSamples, pixels: number, bands: number): void;
  /** Maps samples in place, after all were measured. Transparency stays. */
  map(samples: ColourSamples, pixels: number, bands: number): void;
}

/** Creates a mapper to the curve of sRGB in the picture's own primaries. @param bits of a sample */
export function createToneMapper({ curve, primaries }: LightEncoding, bits: 8 | 16): ToneMapper {
  const top = 2 ** bits - 1;
  const isHlg = curve === 'hlg';
  const lightOf =
    typeof curve === 'number'
      ? (value: number) => whiteNits * value ** curve
      : isHlg
        ? sceneOfHlg
        : nitsOfPq;
  const decode = Float64Array.from({ length: top + 1 }, (_, i) => lightOf(i / top));
  const luma = rgbToXyz(primaries)[1];
  const nits = [0, 0, 0];
  const read = (samples: ColourSamples, at: number, colours: number) => {
    for (let c = 0; c < 3; c += 1)
      nits[c] = decode[samples[at + (colours === 1 ? 0 : c)] ?? 0] ?? 0;
    if (!isHlg) return;
    const [red = 0, green = 0, blue = 0] = nits;
    const light = luma[0] * red + luma[1] * green + luma[2] * blue;
    const gain = hlgPeakNits * light ** 0.2;
    for (let c = 0; c < 3; c += 1) nits[c] = (nits[c] ?? 0) * gain;
  };
  let peak = 0;
  let tables: { gain: Float64Array; encoded: Float64Array } | undefined;
  const tablesOf = () => {
    const map = eetf(peak);
    const most = Math.max(peak, 1e-6);
    const gain = Float64Array.from({ length: tableSteps }, (_, i) => {
      const light = most * (i / (tableSteps - 1)) ** 2;
      return light === 0 ? 1 / whiteNits : map(light) / light / whiteNits;
    });
    const encoded = Float64Array.from({ length: tableSteps }, (_, i) =>
      encodeSrgb((i / (tableSteps - 1)) ** 2),
    );
    return { gain, encoded };
  };
  return {
    measure(samples, pixels, bands) {
      for (let at = 0; at < pixels * bands; at += bands) {
        read(samples, at, bands < 3 ? 1 : 3);
        peak = Math.max(peak, nits[0] ?? 0, nits[1] ?? 0, nits[2] ?? 0);
      }
    },
    map(samples, pixels, bands) {
      const colours = bands < 3 ? 1 : 3;
      const { gain, encoded } = (tables ??= tablesOf());
      for (let at = 0; at < pixels * bands; at += bands) {
        read(samples, at, colours);
        // All three are scaled alike, by the brightest, so that hues stay.
        const most = Math.max(nits[0] ?? 0, nits[1] ?? 0, nits[2] ?? 0);
        const step = Math.round(Math.sqrt(most / Math.max(peak, 1e-6)) * (tableSteps - 1));
        const factor = gain[step] ?? 0;
        for (let c = 0; c < colours; c += 1) {
          const light = Math.min(1, (nits[c] ?? 0) * factor);
          samples[at + c] = Math.round(
            (encoded[Math.round(Math.sqrt(light) * (tableSteps - 1))] ?? 0) * top,
          );
        }
      }
    },
  };
}
