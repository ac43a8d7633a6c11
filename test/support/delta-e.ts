/** Colour differences as the eye sees them. CIE 142-2001; Sharma, Wu, Dalal 2005. */

export type Lab = readonly [number, number, number];

/** A colour space by its decoding curve and its matrix to XYZ, with the white that it means. */
export interface RgbSpace {
  toLinear: (value: number) => number;
  toXyz: readonly (readonly [number, number, number])[];
}

const srgbCurve = (v: number) => (v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4);

/** Lindbloom's matrices, each with its own white. */
export const spaces: Record<'DisplayP3' | 'AdobeRGB' | 'ProPhoto', RgbSpace> = {
  DisplayP3: {
    toLinear: srgbCurve,
    toXyz: [
      [0.4865709, 0.2656677, 0.1982173],
      [0.2289746, 0.6917385, 0.0792869],
      [0, 0.0451134, 1.0439444],
    ],
  },
  AdobeRGB: {
    toLinear: (v) => v ** (563 / 256),
    toXyz: [
      [0.5767309, 0.185554, 0.1881852],
      [0.2973769, 0.6273491, 0.0752741],
      [0.0270343, 0.0706872, 0.9911085],
    ],
  },
  ProPhoto: {
    toLinear: (v) => v ** 1.8,
    toXyz: [
      [0.7976749, 0.1351917, 0.0313534],
      [0.2880402, 0.7118741, 0.0000857],
      [0, 0, 0.82521],
    ],
  },
};

/** Of values 0-1. */
export function labOf({ toLinear, toXyz }: RgbSpace, rgb: Lab): Lab {
  const linear = rgb.map(toLinear);
  const [x, y, z] = toXyz.map((row) => {
    const white = row[0] + row[1] + row[2];
    const sum = row[0] * linear[0]! + row[1] * linear[1]! + row[2] * linear[2]!;
    const t = sum / white;
    return t > 216 / 24389 ? Math.cbrt(t) : ((24389 / 27) * t + 16) / 116;
  }) as [number, number, number];
  return [116 * y - 16, 500 * (x - y), 200 * (y - z)];
}

const degrees = (radians: number) => ((radians * 180) / Math.PI + 360) % 360;
const radians = (angle: number) => (angle * Math.PI) / 180;
const to7 = (c: number) => Math.sqrt(c ** 7 / (c ** 7 + 25 ** 7));

export function deltaE2000([l1, a1, b1]: Lab, [l2, a2, b2]: Lab): number {
  const g = 0.5 * (1 - to7((Math.hypot(a1, b1) + Math.hypot(a2, b2)) / 2));
  const [ap1, ap2] = [a1 * (1 + g), a2 * (1 + g)];
  const [c1, c2] = [Math.hypot(ap1, b1), Math.hypot(ap2, b2)];
  const h1 = c1 === 0 ? 0 : degrees(Math.atan2(b1, ap1));
  const h2 = c2 === 0 ? 0 : degrees(Math.atan2(b2, ap2));
  const isGrey = c1 * c2 === 0;
  const far = Math.abs(h1 - h2) > 180;
  const dh = isGrey ? 0 : far ? h2 - h1 + (h2 <= h1 ? 360 : -360) : h2 - h1;
  const dH = 2 * Math.sqrt(c1 * c2) * Math.sin(radians(dh / 2));
  const sum = h1 + h2;
  const h = isGrey ? sum : far ? (sum + (sum < 360 ? 360 : -360)) / 2 : sum / 2;
  const l = (l1 + l2) / 2;
  const c = (c1 + c2) / 2;
  const t =
    1 -
    0.17 * Math.cos(radians(h - 30)) +
    0.24 * Math.cos(radians(2 * h)) +
    0.32 * Math.cos(radians(3 * h + 6)) -
    0.2 * Math.cos(radians(4 * h - 63));
  const sL = 1 + (0.015 * (l - 50) ** 2) / Math.sqrt(20 + (l - 50) ** 2);
  const sC = 1 + 0.045 * c;
  const sH = 1 + 0.015 * c * t;
  const turn = -Math.sin(radians(60 * Math.exp(-(((h - 275) / 25) ** 2)))) * 2 * to7(c);
  const [x, y, z] = [(l2 - l1) / sL, (c2 - c1) / sC, dH / sH];
  return Math.sqrt(x * x + y * y + z * z + turn * y * z);
}
