/** Names of files and of machines come from others, and a terminal obeys what control characters stand in them. */

/** Writes control characters, and those that turn the direction of the text, as escapes such as \u{1b}. */
export const printable = (text: string): string =>
  text.replaceAll(
    /[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/gu,
    (character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`,
  );
