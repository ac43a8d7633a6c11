/** The words for what stands behind a cut-out subject. */
import { namedColour } from './colour-names.ts';

const words: readonly string[] = ['transparent', 'blur'];
const hexColour = /^#([0-9a-f]{3}|[0-9a-f]{6})$/i;

/** What may be said, for sentences. */
export const backgroundWords = 'transparent, blur or a colour such as #ffffff, white or teal';

/** 'transparent', 'blur' or a colour of six digits; undefined for a word that is none of these. */
export function backgroundOf(text: string): string | undefined {
  if (words.includes(text)) return text;
  if (!hexColour.test(text)) return namedColour(text);
  const digits = text.slice(1).toLowerCase();
  return `#${digits.length === 3 ? digits.replace(/./g, '$&$&') : digits}`;
}
