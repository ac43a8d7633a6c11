/** Finds the colour space that a file without an ICC profile declares, and builds the equivalent profile. */
import { note } from '../../../contract/src/notes/notes.ts';
import type { OutputFormat, ReadableFormat } from '../../../contract/src/formats.ts';
import { buildProfile, type Primaries } from '../colour/build-profile.ts';
import {
  hlg,
  isHdr,
  mappedProfile,
  powerCurve,
  primariesOf,
  profileOfCodePoints,
  srgbCurve,
  srgbPrimaries,
  type CodePoints,
} from '../colour/code-points.ts';
import type { LightEncoding } from '../colour/tone-map.ts';
import type { PngChunk } from './containers/png-chunks.ts';
import { withFileBytes } from '../../../file-records/src/index.ts';

export interface DeclaredColours {
  /** Profile of the decoded numbers; undefined: sRGB. */
  icc?: Buffer | undefined;
  /** The code points of PQ and HLG, which a PNG or AVIF can declare. */
  hdr?: CodePoints | undefined;
  /** Set if decoding maps the numbers to the curve of sRGB: PQ, HLG and linear light. */
  light?: LightEncoding;
  /** Too wide for 8 bits, where the profile is applied. */
  needsDepth: boolean;
  note: string;
}

const heifHeadBytes = 64 * 1024;

/** Reads the first `nclx` box of an AVIF or HEIC, which is the picture's (ISO/IEC 23008-12, 6.5.5). */
const nclxOf = (path: string): CodePoints | undefined =>
  withFileBytes(path, (bytes) => {
    const head = bytes.read(0, heifHeadBytes);
    const at = head.indexOf('colrnclx', 0, 'latin1');
    if (at < 0 || at + 15 > head.length) return undefined;
    return { primaries: head.readUInt16BE(at + 8), transfer: head.readUInt16BE(at + 10) };
  });

/** Reads the colours of a picture without an ICC profile; undefined if they are sRGB or not declared. */
export function declaredColours(
  path: string,
  format: ReadableFormat,
  pngColour: readonly PngChunk[],
  isGrey: boolean,
): DeclaredColours | undefined {
  if (format === 'png') return ofPng(pngColour, isGrey);
  if (format !== 'avif' && format !== 'heic') return undefined;
  const points = nclxOf(path);
  return points && ofCodePoints(points, 'nclx');
}

function ofCodePoints(points: CodePoints, where: string): DeclaredColours | undefined {
  const isLinear = points.transfer === linear;
  if (isHdr(points) || isLinear) {
    const isHlg = points.transfer === hlg;
    const curve = isLinear ? 1 : isHlg ? 'hlg' : 'pq';
    return {
      icc: mappedProfile(points),
      ...(!isLinear && { hdr: points }),
      light: { curve, primaries: primariesOf(points) ?? srgbPrimaries },
      needsDepth: points.primaries === bt2020,
      note: isLinear
        ? note('LINEAR_ENCODED', { where })
        : note('HDR_MAPPED', { curve: isHlg ? 'HLG' : 'PQ', where }),
    };
  }
  const profile = profileOfCodePoints(points);
  return (
    profile && {
      icc: profile.icc,
      needsDepth: false,
      note: note('COLOURS_DECLARED', { colours: profile.name, where }),
    }
  );
}

/** AVIF holds HDR in 10 bits. */
export const keepsHdr = (
  declared: DeclaredColours | undefined,
  format: OutputFormat | undefined,
  bits: number,
): CodePoints | undefined => (format === 'avif' && bits > 8 ? declared?.hdr : undefined);

const bt2020 = 9;
const linear = 8;

function ofPng(chunks: readonly PngChunk[], isGrey: boolean): DeclaredColours | undefined {
  const dataOf = (type: string) => chunks.find((chunk) => chunk.type === type)?.data;
  const cicp = dataOf('cICP');
  // Precedence of chunks: PNG specification, third edition, 4.3.
  if (cicp && cicp.length >= 4)
    return ofCodePoints({ primaries: cicp[0] ?? 2, transfer: cicp[1] ?? 2 }, 'cICP');
  const gamma = dataOf('gAMA');
  if (dataOf('sRGB') || !gamma || gamma.length < 4) return undefined;
  const encoded = gamma.readUInt32BE(0) / 100_000;
  const primaries = primariesOfChrm(dataOf('cHRM'));
  const isOrdinary = isNear(primaries, srgbPrimaries);
  const isSrgbGamma = Math.abs(encoded - 1 / 2.2) < 0.02;
  if (encoded <= 0.05 || encoded > 5 || (isSrgbGamma && isOrdinary)) return undefined;
  const name = `gamma ${(1 / encoded).toFixed(2)}`;
  // Such a dark curve has too few steps in the shadows, for networks as well as for 8 bits.
  if (encoded > 0.7)
    return {
      icc: isOrdinary ? undefined : buildProfile(name, primaries, srgbCurve, isGrey),
      light: { curve: 1 / encoded, primaries },
      needsDepth: false,
      note: note('LINEAR_ENCODED', { where: `gAMA ${encoded}` }),
    };
  return {
    icc: buildProfile(name, primaries, powerCurve(1 / encoded), isGrey),
    needsDepth: false,
    note: note('GAMMA_DECLARED', { curve: name }),
  };
}

function primariesOfChrm(chunk: Buffer | undefined): Primaries {
  if (!chunk || chunk.length < 32) return srgbPrimaries;
  const point = (i: number) =>
    [chunk.readUInt32BE(8 * i) / 1e5, chunk.readUInt32BE(8 * i + 4) / 1e5] as const;
  const found = { white: point(0), red: point(1), green: point(2), blue: point(3) };
  const isValid = Object.values(found).every(([x, y]) => x > 0 && y > 0 && x + y < 1.0001);
  return isValid ? found : srgbPrimaries;
}

const isNear = (one: Primaries, other: Primaries): boolean =>
  (['white', 'red', 'green', 'blue'] as const).every((name) =>
    one[name].every((value, i) => Math.abs(value - (other[name][i] ?? 0)) < 0.005),
  );
