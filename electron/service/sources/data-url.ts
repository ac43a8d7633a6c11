/** Decoder of `data:` URLs (RFC 2397), base64 and percent-encoded. The media type is ignored. */
import { EnlargerError } from '../../../packages/contract/src/errors.ts';

export function isDataUrl(text: string): boolean {
  return /^data:/i.test(text);
}

/** @throws EnlargerError INVALID_REQUEST if empty or malformed */
export function decodeDataUrl(text: string): Buffer {
  const decoder = createDataUrlDecoder();
  const bytes = Buffer.concat([decoder.push(text), decoder.end()]);
  if (bytes.length === 0) throw noData();
  return bytes;
}

interface DataUrlDecoder {
  /** @throws EnlargerError INVALID_REQUEST */
  push(text: string): Buffer;
  /** Decodes the rest after the end of the URL. @throws EnlargerError INVALID_REQUEST */
  end(): Buffer;
}

const maxHeadLength = 16_384;

/** Streaming decoder; the URL may be cut anywhere. */
export function createDataUrlDecoder(): DataUrlDecoder {
  let head: string | undefined = '';
  let decode: Decode = unescaped();
  return {
    push(text) {
      if (head === undefined) return decode(Buffer.from(text, 'utf8'), false);
      head += text;
      const comma = head.indexOf(',');
      if (comma < 0 && head.length <= maxHeadLength) return Buffer.alloc(0);
      if (comma < 0) throw refused('has no comma before its data');
      if (/;\s*base64\s*$/i.test(head.slice(0, comma))) decode = base64();
      const first = head.slice(comma + 1);
      head = undefined;
      return decode(Buffer.from(first, 'utf8'), false);
    },
    end() {
      if (head !== undefined) throw refused('has no comma before its data');
      return decode(Buffer.alloc(0), true);
    },
  };
}

type Decode = (data: Buffer, isLast: boolean) => Buffer;

/** Base64 decoder that ignores white space and decodes percent escapes first. */
function base64(): Decode {
  const unescape = unescaped();
  let pending: Buffer = Buffer.alloc(0);
  let padding = 0;
  return (data, isLast) => {
    const bytes = Buffer.concat([pending, unescape(data, isLast)]);
    let length = pending.length;
    for (let at = pending.length; at < bytes.length; at += 1) {
      const code = bytes[at] ?? 0;
      const kind = kinds[code];
      if (kind === space) continue;
      if (code === equals) padding += 1;
      if (kind === other || padding > 2 || (padding > 0 && code !== equals))
        throw refused('is not base64');
      // Compacted in place: the write offset never passes the read offset.
      if (code !== equals) bytes[length++] = code;
    }
    const complete = isLast ? length : length - (length % 4);
    pending = Buffer.from(bytes.subarray(complete, length));
    return Buffer.from(bytes.toString('latin1', 0, complete), 'base64');
  };
}

const [other, digit, space] = [0, 1, 2];
const equals = 0x3d;

/** Class of each byte; accepts both base64 alphabets (RFC 4648). */
const kinds = Uint8Array.from({ length: 256 }, (_, code) => {
  const sign = String.fromCharCode(code);
  if (/[A-Za-z0-9+/_=-]/.test(sign)) return digit;
  return code < 0x80 && /\s/.test(sign) ? space : other;
});

function unescaped(): Decode {
  let pending: Buffer = Buffer.alloc(0);
  return (data, isLast) => {
    if (pending.length === 0 && !data.includes(percentSign)) return data;
    const source = Buffer.concat([pending, data]);
    const cut = isLast ? -1 : source.subarray(-2).indexOf(percentSign);
    const end = cut < 0 ? source.length : Math.max(0, source.length - 2) + cut;
    pending = Buffer.from(source.subarray(end));
    let length = 0;
    for (let i = 0; i < end; i++) {
      const isEscape = source[i] === percentSign;
      const value = isEscape
        ? digitOf(source[i + 1]) * 16 + digitOf(source[i + 2])
        : (source[i] ?? 0);
      if (Number.isNaN(value)) throw refused('has a % that no two hex digits follow');
      source[length++] = value;
      if (isEscape) i += 2;
    }
    return source.subarray(0, length);
  };
}

const percentSign = 0x25;

/** Value of an ASCII code as a hex digit, or NaN. */
function digitOf(code = NaN): number {
  if (code >= 0x30 && code <= 0x39) return code - 0x30;
  const lower = code | 0x20;
  return lower >= 0x61 && lower <= 0x66 ? lower - 0x57 : NaN;
}

export function noData(): EnlargerError {
  return refused('holds no data');
}

function refused(what: string): EnlargerError {
  return new EnlargerError(
    'INVALID_REQUEST',
    `Expected imageUrl to be a data: URL with image bytes, but the one received ${what}.`,
  );
}
