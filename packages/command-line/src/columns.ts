/** Lays text out in a terminal, where characters of East Asian scripts take two columns. */

const wide = String.raw`\u1100-\u115F\u2E80-\uA4CF\uAC00-\uD7A3\uF900-\uFAFF\uFE30-\uFE6F\uFF01-\uFF60\uFFE0-\uFFE6\p{Emoji_Presentation}`;
const wideCharacters = new RegExp(`[${wide}]`, 'gu');

/** Number of columns that a text takes. */
export const widthOf = (text: string): number =>
  Array.from(text.replaceAll(/\p{Mn}/gu, '')).length + (text.match(wideCharacters)?.length ?? 0);

/** Width of the widest of the texts, 0 for none. */
export const widestOf = (texts: readonly string[]): number => Math.max(0, ...texts.map(widthOf));

export const padEnd = (text: string, width: number): string =>
  text + ' '.repeat(Math.max(0, width - widthOf(text)));

export const padStart = (text: string, width: number): string =>
  ' '.repeat(Math.max(0, width - widthOf(text))) + text;

/** Punctuation that must not end a line, and that which must not begin one. */
const opening = '（「『【〈《“';
const closing = '、。，．：；！？）」』】〉》”ー～ゃゅょっャュョッ';

/** The parts of a line between which it may break: words, and single characters of scripts without spaces. */
const parts = new RegExp(
  String.raw`\s*[${opening}(]*(?:[${wide}]|[^\s${wide}${opening}${closing}]+|[${opening}${closing}])[${closing}),:;.]*(?: [:;?!»])*`,
  'gu',
);

/** Breaks text into lines of at most `width` columns, as far as its words allow. */
export const wrapText = (text: string, width: number): string =>
  text
    .split('\n')
    .map((line) => wrapLine(line, width))
    .join('\n');

function wrapLine(line: string, width: number): string {
  const lines = [''];
  for (const part of line.match(parts) ?? []) {
    const last = lines.at(-1) ?? '';
    if (last === '' || widthOf(last) + widthOf(part) <= width)
      lines[lines.length - 1] = last + part;
    else lines.push(part.trimStart());
  }
  return lines.join('\n');
}
