/** The words for what stands behind a cut-out subject. */

const words: Record<string, string> = {
  transparent: 'transparent',
  blur: 'blur',
  white: '#ffffff',
  black: '#000000',
};
const hexColour = /^#([0-9a-f]{3}|[0-9a-f]{6})$/i;

/** What may be said, for sentences. */
export const backgroundWords = 'transparent, blur or a colour such as #ffffff, white or black';

/** 'transparent', 'blur' or a colour of six digits; undefined for a word that is none of these. */
export function backgroundOf(text: string): string | undefined {
  if (Object.hasOwn(words, text)) return words[text];
  if (!hexColour.test(text)) return undefined;
  const digits = text.slice(1).toLowerCase();
  return `#${digits.length === 3 ? digits.replace(/./g, '$&$&') : digits}`;
}
