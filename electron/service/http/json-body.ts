/**
 * Reads a JSON body as it arrives. A body that is deeply nested or has millions of parts would hold up every
 * other caller, and is refused before it is parsed. Large pictures in it go to files as they arrive, so the
 * text that is parsed at once is small.
 */
import { StringDecoder } from 'node:string_decoder';
import { EnlargerError } from '../../contract/errors.ts';
import type { HeldPictures, HeldWriter } from '../sources/held-pictures.ts';

interface JsonBodyOptions {
  /** This is the body's Content-Length, or 0 when there is none. */
  announced: number;
  mostBytes: number;
  pictures: HeldPictures;
  fields: PictureFields;
}

/** Says in which fields of a body pictures stand. */
export interface PictureFields {
  /** The map has the depth of each such field, by its name. */
  depths: Readonly<Record<string, number>>;
  /** Base64 without the head of a data: URL counts as a picture too. */
  takesBare: boolean;
}

export interface JsonBody {
  /** The text has a word of `held` in the place of each large picture. */
  text: string;
  held: string[];
}

const mostDepth = 40;
const mostParts = 500_000;
/** The limit of names is lower, because names of objects cost far more than items of lists. */
const mostNames = 50_000;
/** A string of up to this many bytes stays in the text. */
const smallBytes = 64 * 1024;
/** The text without its pictures may have this many bytes. */
const mostPlainBytes = 20 * 1024 * 1024;

/**
 * Reads the body. It throws INVALID_REQUEST, PAYLOAD_TOO_LARGE and the disk's refusals. A refused body is
 * read to its end and dropped, so that the caller gets to read the answer; no picture is held then.
 */
export async function readJsonBody(
  payload: AsyncIterable<Buffer>,
  options: JsonBodyOptions,
): Promise<JsonBody> {
  const { announced, mostBytes, pictures } = options;
  const scanner = new JsonScanner(options.fields);
  const plain: Buffer[] = [];
  const held: string[] = [];
  let picture: ReturnType<typeof createPictureText> | undefined;
  let plainBytes = 0;
  let sizeBytes = 0;
  let refusal: Error | undefined = announced > mostBytes ? tooLarge(mostBytes) : undefined;
  const take = async (piece: Piece) => {
    if (piece.kind === 'plain') {
      plainBytes += piece.bytes.length;
      if (plainBytes > mostPlainBytes) throw tooMuch();
      plain.push(piece.bytes);
    } else if (piece.kind === 'picture') {
      const writer = await pictures.begin(piece.isBare);
      held.push(writer.word);
      plain.push(Buffer.from(writer.word));
      picture = createPictureText(writer);
    } else if (piece.kind === 'text') await picture?.write(piece.bytes);
    else await picture?.end();
  };
  try {
    for await (const chunk of payload) {
      sizeBytes += chunk.length;
      if (sizeBytes > mostBytes) refusal ??= tooLarge(mostBytes);
      if (refusal !== undefined) continue;
      try {
        for (const piece of scanner.scan(chunk)) await take(piece);
      } catch (thrown) {
        refusal = thrown instanceof Error ? thrown : new Error(String(thrown));
      }
    }
    if (refusal !== undefined) throw refusal;
    plain.push(scanner.left());
    return { text: Buffer.concat(plain).toString('utf8'), held };
  } catch (thrown) {
    await pictures.drop(held);
    throw thrown;
  }
}

/** Creates a writer that decodes the escapes inside a JSON string and writes the text of a picture. */
function createPictureText(writer: HeldWriter) {
  const decoder = new StringDecoder('utf8');
  let cut = '';
  return {
    async write(bytes: Buffer): Promise<void> {
      const text = cut + decoder.write(bytes);
      const end = endOfWhole(text);
      cut = text.slice(end);
      await writer.write(unescaped(text.slice(0, end)));
    },
    async end(): Promise<void> {
      await writer.write(unescaped(cut + decoder.end()));
      await writer.end();
    },
  };
}

/** Answers where the text must be cut, which is before an escape that may go on in the next part. */
function endOfWhole(text: string): number {
  const cut = /\\(?:u[0-9A-Fa-f]{0,3})?$/.exec(text.slice(-5))?.[0];
  if (cut === undefined) return text.length;
  const start = text.length - cut.length;
  let before = start;
  while (text[before - 1] === '\\') before -= 1;
  // Two backslashes are one escaped backslash, so no escape is cut.
  return (start - before) % 2 === 0 ? start : text.length;
}

function unescaped(text: string): string {
  if (!text.includes('\\')) return text;
  try {
    return JSON.parse(`"${text}"`) as string;
  } catch (cause) {
    throw new EnlargerError(
      'INVALID_REQUEST',
      'Expected the body to be JSON, but a string in it is not.',
      { cause },
    );
  }
}

type Piece =
  | { kind: 'plain'; bytes: Buffer }
  | { kind: 'picture'; isBare: boolean }
  | { kind: 'text'; bytes: Buffer }
  | { kind: 'ended' };

/** The string is open: it goes on in the next chunk. */
interface OpenString {
  kind: 'unknown' | 'plain' | 'text';
  /** The string's bytes are kept here until its kind is known. */
  start: Buffer[];
  bytes: number;
}

/** Splits a body into large pictures and the rest, and counts depth, parts and names outside of strings. */
class JsonScanner {
  readonly #fields: PictureFields;
  #depth = 0;
  #parts = 0;
  #names = 0;
  /** This name stood last before a colon. */
  #field = '';
  #lastString = '';
  #string: OpenString | undefined;
  #isEscape = false;
  /** The next backslash of the chunk is here; it is searched once, however many strings come before it. */
  #backslash = -1;

  constructor(fields: PictureFields) {
    this.#fields = fields;
  }

  /** Scans the next chunk. It throws INVALID_REQUEST for a body beyond the limits. */
  *scan(chunk: Buffer): Generator<Piece> {
    let at = 0;
    this.#backslash = -1;
    if (this.#string) {
      at = this.#endOfString(chunk, 0);
      yield* this.#goOn(this.#string, chunk.subarray(0, at));
      if (at === chunk.length) return;
      yield* this.#close(this.#string);
    }
    const from = at;
    // The plain piece begins at the quote that ends the string of the chunk before, or at the chunk's
    // beginning.
    if (this.#string) at += 1;
    this.#string = undefined;
    while (at < chunk.length) {
      const quote = this.#endOfOutside(chunk, at);
      at = quote + 1;
      if (quote === chunk.length) break;
      const end = this.#endOfString(chunk, at);
      if (end === chunk.length) {
        const rest = chunk.subarray(at);
        this.#string = { start: [rest], bytes: rest.length, kind: 'unknown' };
        yield { kind: 'plain', bytes: chunk.subarray(from, at) };
        return;
      }
      if (end - at <= longestName) this.#lastString = chunk.toString('latin1', at, end);
      at = end + 1;
    }
    yield { kind: 'plain', bytes: chunk.subarray(from) };
  }

  /** Answers the bytes of a string that never ended; the parser refuses it. */
  left(): Buffer {
    return Buffer.concat(this.#string?.start ?? []);
  }

  *#goOn(string: OpenString, bytes: Buffer): Generator<Piece> {
    if (string.kind !== 'unknown') {
      yield { kind: string.kind, bytes };
      return;
    }
    string.start.push(bytes);
    string.bytes += bytes.length;
    if (string.bytes <= smallBytes) return;
    const start = Buffer.concat(string.start);
    string.start = [];
    const { depths, takesBare } = this.#fields;
    const isUrl = /^\s*data:/i.test(start.toString('latin1', 0, 100));
    const isPicture = depths[this.#field] === this.#depth && (isUrl || takesBare);
    string.kind = isPicture ? 'text' : 'plain';
    if (isPicture) yield { kind: 'picture', isBare: !isUrl };
    yield { kind: string.kind, bytes: start };
  }

  *#close(string: OpenString): Generator<Piece> {
    if (string.kind === 'text') yield { kind: 'ended' };
    if (string.kind !== 'unknown') return;
    const bytes = Buffer.concat(string.start);
    if (bytes.length <= longestName) this.#lastString = bytes.toString('latin1');
    yield { kind: 'plain', bytes };
  }

  /** Answers the place of the quote that ends the open string, or the chunk's length. */
  #endOfString(chunk: Buffer, from: number): number {
    let at = from;
    if (this.#isEscape) at += 1;
    this.#isEscape = false;
    let quote = indexFrom(chunk, codes.quote, at);
    if (this.#backslash < at) this.#backslash = indexFrom(chunk, codes.backslash, at);
    while (this.#backslash < quote) {
      at = this.#backslash + 2;
      this.#isEscape = at > chunk.length;
      if (quote < at) quote = indexFrom(chunk, codes.quote, at);
      this.#backslash = indexFrom(chunk, codes.backslash, at);
    }
    return quote;
  }

  #endOfOutside(chunk: Buffer, from: number): number {
    for (let at = from; at < chunk.length; at += 1) {
      const code = chunk[at];
      if (code === codes.quote) return at;
      if (code === codes.openBrace || code === codes.openBracket) this.#depth += 1;
      else if (code === codes.closeBrace || code === codes.closeBracket) this.#depth -= 1;
      else if (code === codes.comma) this.#parts += 1;
      else if (code === codes.colon) {
        this.#names += 1;
        this.#field = this.#lastString;
      }
      if (this.#depth > mostDepth || this.#parts > mostParts || this.#names > mostNames)
        throw new EnlargerError(
          'INVALID_REQUEST',
          `Expected a body of at most ${mostDepth} levels and ${mostParts} parts, ${mostNames} of them with names, but received more.`,
        );
    }
    return chunk.length;
  }
}

const indexFrom = (chunk: Buffer, code: number, from: number) => {
  const found = chunk.indexOf(code, from);
  return found < 0 ? chunk.length : found;
};

const longestName = 100;

const codes = {
  quote: 0x22,
  backslash: 0x5c,
  comma: 0x2c,
  colon: 0x3a,
  openBrace: 0x7b,
  closeBrace: 0x7d,
  openBracket: 0x5b,
  closeBracket: 0x5d,
};

export function tooLarge(mostBytes: number): EnlargerError {
  return new EnlargerError(
    'PAYLOAD_TOO_LARGE',
    `The body is larger than ${mostBytes} bytes, the limit in the settings (maxBodyBytes).`,
  );
}

function tooMuch(): EnlargerError {
  return new EnlargerError(
    'PAYLOAD_TOO_LARGE',
    `Expected at most ${mostPlainBytes} bytes beside the picture, but received more.`,
  );
}
