/** Another format's quantiser as the JPEG quality that looks alike. Pure. */

/** [index, quality], from the finest on. */
export type Likened = readonly (readonly [number, number])[];

/** Between two of a table's places in proportion; beyond its end the last one. */
export function likenedQuality(index: number, table: Likened): number {
  const above = table.findIndex(([at]) => at >= index);
  const [toIndex, toQuality] = table[above] ?? table.at(-1) ?? [index, 100];
  const [fromIndex, fromQuality] = table[above - 1] ?? [toIndex, toQuality];
  if (toIndex === fromIndex) return toQuality;
  const part = (index - fromIndex) / (toIndex - fromIndex);
  return Math.round(fromQuality + part * (toQuality - fromQuality));
}
