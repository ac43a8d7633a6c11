/** Words how many photos meet the filter, so that the number agrees with the rows under it. */
import { countText, text } from '../../text/text.ts';

interface Row {
  readonly id: string;
}

/**
 * @param met photos that meet the filter now
 * @param listed rows of the list: with a search fewer than these, and more where photos stay that were judged or begun
 */
export function listedText(met: readonly Row[], listed: readonly Row[]): string {
  if (met.length === 0 && listed.length > 0) return text.noneLeft;
  const rows = new Set(listed.map(({ id }) => id));
  const found = met.filter(({ id }) => rows.has(id)).length;
  if (found < rows.size) return text.partListed(found, rows.size);
  return found === met.length ? countText(found) : text.partListed(found, met.length);
}
