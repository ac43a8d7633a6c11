/** `data:` URLs (RFC 2397): base64 and percent-encoded. The media type they name is not believed. */
import { EnlargerError } from '../../contract/errors.ts';

export function isDataUrl(text: string): boolean {
  return /^data:/i.test(text);
}

/** The bytes; throws INVALID_REQUEST when there are none or they are not encoded as the URL says. */
export function decodeDataUrl(text: string): Buffer {
  const comma = text.indexOf(',');
  if (comma < 0) throw refused('has no comma before its data');
  const isBase64 = /;\s*base64\s*$/i.test(text.slice(0, comma));
  const data = text.slice(comma + 1);
  const bytes = isBase64 ? decodeBase64(data) : decodePercent(data);
  if (bytes.length === 0) throw refused('holds no data');
  return bytes;
}

/** Spaces and line breaks in it mean nothing, however many there are. */
function decodeBase64(data: string): Buffer {
  if (/^[A-Za-z0-9+/_-]*={0,2}$/.test(data)) return Buffer.from(data, 'base64');
  const bytes = data.includes('%') ? decodePercent(data) : Buffer.from(data, 'latin1');
  let length = 0;
  for (let at = 0; at < bytes.length; at += 1) {
    const code = bytes[at] ?? 0;
    const kind = kinds[code];
    if (kind === other) throw refused('is not base64');
    if (kind === digit) bytes[length++] = code;
  }
  const packed = bytes.subarray(0, length);
  const end = packed.indexOf(equals);
  if (end >= 0 && (length - end > 2 || packed.subarray(end).some((code) => code !== equals)))
    throw refused('is not base64');
  return Buffer.from(packed.toString('latin1'), 'base64');
}

const [other, digit, space] = [0, 1, 2];
const equals = 0x3d;

/** What each byte is in base64, of either alphabet. */
const kinds = Uint8Array.from({ length: 256 }, (_, code) => {
  const sign = String.fromCharCode(code);
  if (/[A-Za-z0-9+/_=-]/.test(sign)) return digit;
  return code < 0x80 && /\s/.test(sign) ? space : other;
});

function decodePercent(data: string): Buffer {
  const source = Buffer.from(data, 'utf8');
  let length = 0;
  for (let i = 0; i < source.length; i++) {
    const isEscape = source[i] === percentSign;
    const value = isEscape
      ? digitOf(source[i + 1]) * 16 + digitOf(source[i + 2])
      : (source[i] ?? 0);
    if (Number.isNaN(value)) throw refused('has a % that no two hex digits follow');
    // In place: what is written lies never ahead of what is read.
    source[length++] = value;
    if (isEscape) i += 2;
  }
  return source.subarray(0, length);
}

const percentSign = 0x25;

/** Of an ASCII code; NaN when it is no hex digit. */
function digitOf(code = NaN): number {
  if (code >= 0x30 && code <= 0x39) return code - 0x30;
  const lower = code | 0x20;
  return lower >= 0x61 && lower <= 0x66 ? lower - 0x57 : NaN;
}

function refused(what: string): EnlargerError {
  return new EnlargerError(
    'INVALID_REQUEST',
    `Expected imageUrl to be a data: URL with image bytes, but the one received ${what}.`,
  );
}
