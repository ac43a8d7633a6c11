/** Converts another format's quantiser to the JPEG quality of equal fidelity. */
import { withFileBytes, type TiffBytes } from '../../../../file-records/src/index.ts';

/** Pairs of quantiser index and quality, the finest first. */
export type EquivalentQualities = readonly (readonly [number, number])[];

/** Reads a file's quantiser and looks it up in a table; undefined if the file has none. */
export function readEquivalentQuality(
  path: string,
  quantiserOf: (bytes: TiffBytes) => number | undefined,
  table: EquivalentQualities,
): number | undefined {
  const index = withFileBytes(path, quantiserOf);
  return index === undefined ? undefined : equivalentQuality(index, table);
}

/** Interpolates in a table; beyond its end the last quality applies. */
function equivalentQuality(index: number, table: EquivalentQualities): number {
  const above = table.findIndex(([at]) => at >= index);
  const [toIndex, toQuality] = table[above] ?? table.at(-1) ?? [index, 100];
  const [fromIndex, fromQuality] = table[above - 1] ?? [toIndex, toQuality];
  if (toIndex === fromIndex) return toQuality;
  const part = (index - fromIndex) / (toIndex - fromIndex);
  return Math.round(fromQuality + part * (toQuality - fromQuality));
}
