/** Words which photos the settings are for. */
import { text } from '../../text/text.ts';

interface ScopedPhoto {
  readonly obstacle?: unknown;
  /** It has not begun, though it may wait in the queue. */
  readonly isEditable: boolean;
}

/**
 * @param rows the chosen ones; those that cannot be started count only where no other is chosen
 * @param isForNew whether a change of them is one for new photos, too
 */
export function scopeText(rows: readonly ScopedPhoto[], isForNew: boolean): string {
  const usable = rows.filter(({ obstacle }) => obstacle === undefined);
  const total = usable.length > 0 ? usable.length : rows.length;
  const again = rows.filter(({ isEditable }) => !isEditable).length;
  if (total === 0) return text.forNew;
  if (again === 0) return isForNew ? text.forSelectedAndNew(total) : text.forSelected(total);
  return again === total ? text.forAgain(again) : text.forMixed(total - again, again);
}
