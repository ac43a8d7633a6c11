/**
 * Converts CIE L*a*b* as stored in TIFF to sRGB: CIE 15, Bradford adaptation to D65, curve of IEC 61966-2-1.
 */
import type { Samples } from '../../../../electron/engine/raster/raster-file.ts';
import type { LabEncoding } from './tiff-layout.ts';

type Vector3 = readonly [number, number, number];
type Matrix3 = readonly [Vector3, Vector3, Vector3];

const bradford: Matrix3 = [
  [0.8951, 0.2664, -0.1614],
  [-0.7502, 1.7135, 0.0367],
  [0.0389, -0.0685, 1.0296],
];
const fromBradford: Matrix3 = [
  [0.9869929, -0.1470543, 0.1599627],
  [0.4323053, 0.5183603, 0.0492912],
  [-0.0085287, 0.0400428, 0.9684867],
];
const xyzToLinear: Matrix3 = [
  [3.2404542, -1.5371385, -0.4985314],
  [-0.969266, 1.8760108, 0.041556],
  [0.0556434, -0.2040259, 1.0572252],
];
/** XYZ of D65. */
const screenWhite: Vector3 = [0.95047, 1, 1.08883];

const dot = (a: Vector3, b: Vector3) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
const times = (matrix: Matrix3, [x, y, z]: Vector3): Vector3 => [
  dot(matrix[0], [x, y, z]),
  dot(matrix[1], [x, y, z]),
  dot(matrix[2], [x, y, z]),
];

/**
 * Creates a conversion to linear sRGB from XYZ relative to a white of the given chromaticity. The white
 * itself becomes 1, 1, 1.
 */
function linearOf([x, y]: readonly [number, number]): (shares: Vector3) => Vector3 {
  const white: Vector3 = [x / y, 1, (1 - x - y) / y];
  const from = times(bradford, white);
  const to = times(bradford, screenWhite);
  const onScreen = (xyz: Vector3) => {
    const cones = times(bradford, xyz);
    const adapted: Vector3 = [
      (cones[0] * to[0]) / from[0],
      (cones[1] * to[1]) / from[1],
      (cones[2] * to[2]) / from[2],
    ];
    return times(xyzToLinear, times(fromBradford, adapted));
  };
  const columns = [
    onScreen([white[0], 0, 0]),
    onScreen([0, 1, 0]),
    onScreen([0, 0, white[2]]),
  ] as const;
  const rows = [0, 1, 2].map((i): Vector3 => {
    const row: Vector3 = [columns[0][i] ?? 0, columns[1][i] ?? 0, columns[2][i] ?? 0];
    const sum = row[0] + row[1] + row[2];
    return [row[0] / sum, row[1] / sum, row[2] / sum];
  }) as unknown as Matrix3;
  return (shares) => times(rows, shares);
}

const knee = 6 / 29;
const share = (t: number) => (t > knee ? t ** 3 : 3 * knee ** 2 * (t - 4 / 29));
const curve = (v: number) =>
  v <= 0 ? 0 : v >= 1 ? 1 : v <= 0.0031308 ? v * 12.92 : 1.055 * v ** (1 / 2.4) - 0.055;

/** Creates the functions from a sample to L* (0 to 100), and to a* or b*. */
function sampleDecoders(bits: 8 | 16, isIcc: boolean) {
  const unit = bits === 8 ? 1 : 256;
  const sign = 128 * unit;
  const white = bits === 8 ? 255 : isIcc ? 0xff00 : 0xffff;
  return {
    lightness: (sample: number) => Math.min(100, (sample * 100) / white),
    chroma: isIcc
      ? (sample: number) => (sample - sign) / unit
      : (sample: number) => (sample < sign ? sample : sample - 2 * sign) / unit,
  };
}

/** Creates a function that converts the first three bands of samples to sRGB of the same depth, in place. */
export function createLabConverter(
  bits: 8 | 16,
  { isIcc, white }: LabEncoding,
): (samples: Samples, pixels: number, bands: number) => void {
  const { lightness, chroma } = sampleDecoders(bits, isIcc);
  const toLinear = linearOf(white);
  const top = 2 ** bits - 1;
  return (samples, pixels, bands) => {
    for (let i = 0; i < pixels * bands; i += bands) {
      const fy = (lightness(samples[i] ?? 0) + 16) / 116;
      const fx = fy + chroma(samples[i + 1] ?? 0) / 500;
      const fz = fy - chroma(samples[i + 2] ?? 0) / 200;
      const [r, g, b] = toLinear([share(fx), share(fy), share(fz)]);
      samples[i] = Math.round(curve(r) * top);
      samples[i + 1] = Math.round(curve(g) * top);
      samples[i + 2] = Math.round(curve(b) * top);
    }
  };
}
