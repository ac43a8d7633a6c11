/**
 * Builds ICC profiles of RGB and grey spaces from their primaries and transfer function (ICC.1:2022, annex E
 * for the adaptation to D50). Every colour management reads such profiles of version 4.
 */

/** CIE 1931 chromaticity. */
export type Chromaticity = readonly [x: number, y: number];

export interface Primaries {
  red: Chromaticity;
  green: Chromaticity;
  blue: Chromaticity;
  white: Chromaticity;
}

/**
 * ICC's parametric curve of type 3 from encoded to linear: (a v + b)^gamma from `d` on, and c v below. A plain
 * power has a = 1, b = 0 and d = 0.
 */
export interface Curve {
  gamma: number;
  a: number;
  b: number;
  c: number;
  d: number;
}

type Triple = readonly [number, number, number];
export type Matrix = readonly [Triple, Triple, Triple];

const dot = (a: Triple, b: Triple) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
export const timesVector = (m: Matrix, v: Triple): Triple => [
  dot(m[0], v),
  dot(m[1], v),
  dot(m[2], v),
];
const column = (m: Matrix, i: 0 | 1 | 2): Triple => [m[0][i], m[1][i], m[2][i]];
export const timesMatrix = (a: Matrix, b: Matrix): Matrix =>
  a.map((row) => [0, 1, 2].map((i) => dot(row, column(b, i as 0 | 1 | 2)))) as unknown as Matrix;

export function inverse(m: Matrix): Matrix {
  const [[a, b, c], [d, e, f], [g, h, i]] = m;
  const determinant = a * (e * i - f * h) - b * (d * i - f * g) + c * (d * h - e * g);
  const rows: Matrix = [
    [e * i - f * h, c * h - b * i, b * f - c * e],
    [f * g - d * i, a * i - c * g, c * d - a * f],
    [d * h - e * g, b * g - a * h, a * e - b * d],
  ];
  return rows.map((row) => row.map((value) => value / determinant)) as unknown as Matrix;
}

const xyzOf = ([x, y]: Chromaticity): Triple => [x / y, 1, (1 - x - y) / y];

/** The matrix from linear RGB to XYZ under the space's own white. */
export function rgbToXyz({ red, green, blue, white }: Primaries): Matrix {
  const [r, g, b] = [xyzOf(red), xyzOf(green), xyzOf(blue)];
  const columns: Matrix = [
    [r[0], g[0], b[0]],
    [r[1], g[1], b[1]],
    [r[2], g[2], b[2]],
  ];
  const sums = timesVector(inverse(columns), xyzOf(white));
  return columns.map((row) => row.map((value, i) => value * (sums[i] ?? 0))) as unknown as Matrix;
}

const bradford: Matrix = [
  [0.8951, 0.2664, -0.1614],
  [-0.7502, 1.7135, 0.0367],
  [0.0389, -0.0685, 1.0296],
];
/** ICC's XYZ of D50. */
const d50: Triple = [0.9642, 1, 0.8249];

/** Bradford's adaptation from a white to ICC's D50. */
function adaptationFrom(white: Triple): Matrix {
  const [from, to] = [timesVector(bradford, white), timesVector(bradford, d50)];
  const scale: Matrix = [
    [to[0] / from[0], 0, 0],
    [0, to[1] / from[1], 0],
    [0, 0, to[2] / from[2]],
  ];
  return timesMatrix(inverse(bradford), timesMatrix(scale, bradford));
}

const fixed = (...values: number[]): Buffer => {
  const bytes = Buffer.alloc(4 * values.length);
  values.forEach((value, i) => bytes.writeInt32BE(Math.round(value * 65_536), 4 * i));
  return bytes;
};
const tagged = (type: string, ...parts: Buffer[]) =>
  Buffer.concat([Buffer.from(`${type}\0\0\0\0`, 'latin1'), ...parts]);

function textTag(text: string): Buffer {
  const utf16 = Buffer.from(text, 'utf16le').swap16();
  const head = Buffer.alloc(20);
  head.writeUInt32BE(1, 0);
  head.writeUInt32BE(12, 4);
  head.write('enUS', 8, 'latin1');
  head.writeUInt32BE(utf16.length, 12);
  head.writeUInt32BE(28, 16);
  return tagged('mluc', head, utf16);
}

const xyzTag = (xyz: Triple) => tagged('XYZ ', fixed(...xyz));

function curveTag({ gamma, a, b, c, d }: Curve): Buffer {
  const kind = Buffer.from([0, 3, 0, 0]);
  return tagged('para', kind, fixed(gamma, a, b, c, d));
}

/** Builds a display profile. Grey has one curve and the white only. */
export function buildProfile(
  name: string,
  primaries: Primaries,
  curve: Curve,
  isGrey = false,
): Buffer {
  const adaptation = adaptationFrom(xyzOf(primaries.white));
  const matrix = timesMatrix(adaptation, rgbToXyz(primaries));
  const trc = curveTag(curve);
  const colours: [string, Buffer][] = isGrey
    ? [['kTRC', trc]]
    : [
        ['rXYZ', xyzTag(column(matrix, 0))],
        ['gXYZ', xyzTag(column(matrix, 1))],
        ['bXYZ', xyzTag(column(matrix, 2))],
        ['rTRC', trc],
        ['gTRC', trc],
        ['bTRC', trc],
      ];
  const tags: [string, Buffer][] = [
    ['desc', textTag(name)],
    ['cprt', textTag('Public domain')],
    ['wtpt', xyzTag(d50)],
    ['chad', tagged('sf32', fixed(...adaptation.flat()))],
    ...colours,
  ];
  return assemble(tags, isGrey ? 'GRAY' : 'RGB ');
}

const headerBytes = 128;

function assemble(tags: readonly [string, Buffer][], space: string): Buffer {
  const table = Buffer.alloc(4 + 12 * tags.length);
  table.writeUInt32BE(tags.length, 0);
  let end = headerBytes + table.length;
  const bodies: Buffer[] = [];
  for (const [i, [signature, data]] of tags.entries()) {
    table.write(signature, 4 + 12 * i, 'latin1');
    table.writeUInt32BE(end, 8 + 12 * i);
    table.writeUInt32BE(data.length, 12 + 12 * i);
    const padded = Buffer.concat([data, Buffer.alloc(-data.length & 3)]);
    bodies.push(padded);
    end += padded.length;
  }
  const header = Buffer.alloc(headerBytes);
  header.writeUInt32BE(end, 0);
  header.writeUInt32BE(0x04400000, 8);
  header.write(`mntr${space}XYZ `, 12, 'latin1');
  header.writeUInt16BE(2026, 24);
  header.writeUInt16BE(1, 26);
  header.writeUInt16BE(1, 28);
  header.write('acsp', 36, 'latin1');
  fixed(...d50).copy(header, 68);
  return Buffer.concat([header, table, ...bodies]);
}
