/** Converts another format's quantiser into the JPEG quality that looks alike. */
import { withFileBytes, type TiffBytes } from '../../../files/tiff/tiff-directory.ts';

/** Pairs of a quantiser's index and a quality, the finest first. */
export type EquivalentQualities = readonly (readonly [number, number])[];

/** Reads a file's quantiser and its equivalent in a table; undefined where the file tells no quantiser. */
export function readEquivalentQuality(
  path: string,
  quantiserOf: (bytes: TiffBytes) => number | undefined,
  table: EquivalentQualities,
): number | undefined {
  const index = withFileBytes(path, quantiserOf);
  return index === undefined ? undefined : equivalentQuality(index, table);
}

/** Interpolates between two places of a table; beyond its end the last quality counts. */
function equivalentQuality(index: number, table: EquivalentQualities): number {
  const above = table.findIndex(([at]) => at >= index);
  const [toIndex, toQuality] = table[above] ?? table.at(-1) ?? [index, 100];
  const [fromIndex, fromQuality] = table[above - 1] ?? [toIndex, toQuality];
  if (toIndex === fromIndex) return toQuality;
  const part = (index - fromIndex) / (toIndex - fromIndex);
  return Math.round(fromQuality + part * (toQuality - fromQuality));
}
