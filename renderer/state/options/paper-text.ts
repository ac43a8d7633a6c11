/** Names papers for people. A file of its own, because the unit is state and the papers are not. */
import { lengthIn } from '../../text/print-length.svelte.ts';
import { numberText } from '../../text/text.ts';
import { namedPaper } from './paper.ts';

/** "A4", "30 × 40 cm", "8 × 10 in". */
export function paperText(paper: string): string {
  const { iso, unit, sides } = namedPaper(paper);
  const [short = 0, long = 0] = sides;
  return iso ?? `${numberText(short)} × ${lengthIn(unit, long)}`;
}
