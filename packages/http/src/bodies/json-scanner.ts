/** Incremental scanner of a JSON body: separates large pictures and counts expensive parts. */
import { EnlargerError } from '../../../contract/src/errors.ts';

/** Fields that hold pictures. */
export interface PictureFields {
  /** Nesting depth by field name. */
  depths: Readonly<Record<string, number>>;
  /** Accept base64 without the head of a data: URL. */
  takesBare: boolean;
}

const maxDepth = 40;
const maxParts = 500_000;
/** Lower, since names cost far more than array items. */
const maxNames = 50_000;
/** Longer strings are candidates for pictures. */
const smallBytes = 64 * 1024;

/**
 * A body is a sequence of plain pieces and large pictures, whose text comes between `picture` and `ended`.
 */
export type BodyPiece =
  | { kind: 'plain'; bytes: Buffer }
  | { kind: 'picture'; isBare: boolean }
  | { kind: 'text'; bytes: Buffer }
  | { kind: 'ended' };

/** A string that continues in the next chunk. */
interface OpenString {
  kind: 'unknown' | 'plain' | 'text';
  /** Bytes until the kind is known. */
  start: Buffer[];
  bytes: number;
}

/** Splits a body into large pictures and the rest; counts depth, parts and names outside strings. */
export class JsonScanner {
  readonly #fields: PictureFields;
  #depth = 0;
  #parts = 0;
  #names = 0;
  /** Last name before a colon. */
  #field = '';
  #lastString = '';
  #string: OpenString | undefined;
  #isEscape = false;
  /** Offset of the next backslash in the chunk, searched only once. */
  #backslash = -1;

  constructor(fields: PictureFields) {
    this.#fields = fields;
  }

  /** @throws EnlargerError INVALID_REQUEST above the limits */
  *scan(chunk: Buffer): Generator<BodyPiece> {
    let at = 0;
    this.#backslash = -1;
    if (this.#string) {
      at = this.#endOfString(chunk, 0);
      yield* this.#goOn(this.#string, chunk.subarray(0, at));
      if (at === chunk.length) return;
      yield* this.#close(this.#string);
    }
    const from = at;
    // The plain piece starts at the quote that ends the previous chunk's string, or at the chunk's start.
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
      if (end - at <= maxNameLength) this.#lastString = chunk.toString('latin1', at, end);
      at = end + 1;
    }
    yield { kind: 'plain', bytes: chunk.subarray(from) };
  }

  /** Bytes of an unterminated string, which the parser rejects. */
  rest(): Buffer {
    return Buffer.concat(this.#string?.start ?? []);
  }

  *#goOn(string: OpenString, bytes: Buffer): Generator<BodyPiece> {
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

  *#close(string: OpenString): Generator<BodyPiece> {
    if (string.kind === 'text') yield { kind: 'ended' };
    if (string.kind !== 'unknown') return;
    const bytes = Buffer.concat(string.start);
    if (bytes.length <= maxNameLength) this.#lastString = bytes.toString('latin1');
    yield { kind: 'plain', bytes };
  }

  /** Offset of the closing quote, or the chunk's length. */
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
      if (this.#depth > maxDepth || this.#parts > maxParts || this.#names > maxNames)
        throw new EnlargerError(
          'INVALID_REQUEST',
          `Expected a body of at most ${maxDepth} levels and ${maxParts} parts, ${maxNames} of them with names, but received more.`,
        );
    }
    return chunk.length;
  }
}

const indexFrom = (chunk: Buffer, code: number, from: number) => {
  const found = chunk.indexOf(code, from);
  return found < 0 ? chunk.length : found;
};

const maxNameLength = 100;

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
