/**
 * Whether JSON is worth parsing: what is nested deeply or has millions of parts would hold up every other
 * caller, and no call of ours needs it.
 */
import { EnlargerError } from '../../contract/errors.ts';

const mostDepth = 40;
const mostParts = 500_000;
/** Names of objects cost far more than items of lists. */
const mostNames = 50_000;

/** Throws INVALID_REQUEST. Reads each character once; what stands in strings does not count. */
export function assertPlain(text: string): void {
  let [depth, parts, names] = [0, 0, 0];
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === quote) at = endOfString(text, at);
    else if (code === openBrace || code === openBracket) depth += 1;
    else if (code === closeBrace || code === closeBracket) depth -= 1;
    else if (code === comma) parts += 1;
    else if (code === colon) names += 1;
    if (depth > mostDepth || parts > mostParts || names > mostNames)
      throw new EnlargerError(
        'INVALID_REQUEST',
        `Expected a body of at most ${mostDepth} levels and ${mostParts} parts, ${mostNames} of them with names, but received more.`,
      );
  }
}

const [quote, backslash, comma, colon] = [0x22, 0x5c, 0x2c, 0x3a];
const [openBrace, closeBrace, openBracket, closeBracket] = [0x7b, 0x7d, 0x5b, 0x5d];

/** Where the string that begins there ends; the text's end for one that does not. */
function endOfString(text: string, from: number): number {
  for (let at = from + 1; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === backslash) at += 1;
    else if (code === quote) return at;
  }
  return text.length;
}
