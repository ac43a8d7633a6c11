/**
 * The protobuf wire format as far as ONNX uses it: fields are read by position, and written as a rope of
 * pieces whose lengths are known before any weight is read. https://protobuf.dev/programming-guides/encoding/
 */
import type { ByteSource } from './byte-source.ts';
import { refused } from './refused.ts';

export interface WireField {
  number: number;
  /** A number as a signed 64-bit integer; of other kinds the length in bytes. */
  value: number;
  /** Offset of the value in the source. */
  at: number;
  kind: 'number' | 'bytes' | 'four' | 'eight';
}

const kinds: Record<number, WireField['kind'] | undefined> = {
  0: 'number',
  1: 'eight',
  2: 'bytes',
  5: 'four',
};
const maxTag = 2 ** 32 - 1;
const plainBytes = { four: 4, eight: 8 } as const;

/**
 * Reads the fields of the message between two offsets.
 *
 * @throws EnlargerError MODEL_REFUSED if there is none
 */
export function* fieldsOf(source: ByteSource, from: number, to: number): Generator<WireField> {
  let at = from;
  while (at < to) {
    const tag = readVarint(source, at, to);
    // Other parsers keep 32 bits of a tag, and would read another field.
    if (tag.value < 0 || tag.value > maxTag) throw notAMessage(at);
    const kind = kinds[tag.value % 8];
    const number = Math.floor(tag.value / 8);
    if (kind === undefined || number < 1) throw notAMessage(at);
    at = tag.next;
    if (kind === 'number') {
      const { value, next } = readVarint(source, at, to);
      yield { number, kind, value, at };
      at = next;
      continue;
    }
    const bytes =
      kind === 'bytes' ? readVarint(source, at, to) : { value: plainBytes[kind], next: at };
    if (bytes.value < 0 || bytes.next + bytes.value > to) throw notAMessage(at);
    yield { number, kind, value: bytes.value, at: bytes.next };
    at = bytes.next + bytes.value;
  }
}

/** Reads the fields of the message that a field holds. */
export const fieldsIn = (source: ByteSource, { at, value }: WireField) =>
  fieldsOf(source, at, at + value);

const maxVarintBytes = 10;

/** Of a number below 2 ** 49, which a double holds. */
const maxShortBytes = 7;

function readVarint(source: ByteSource, at: number, to: number): { value: number; next: number } {
  const bytes = source.read(at, Math.min(maxVarintBytes, to - at));
  let short = 0;
  for (let i = 0; i < Math.min(maxShortBytes, bytes.length); i += 1) {
    const byte = bytes[i] as number;
    short += (byte & 127) * 2 ** (7 * i);
    if (byte < 128) return { value: short, next: at + i + 1 };
  }
  let value = 0n;
  for (const [i, byte] of bytes.entries()) {
    value |= BigInt(byte & 127) << BigInt(7 * i);
    if (byte < 128) return { value: Number(BigInt.asIntN(64, value)), next: at + i + 1 };
  }
  throw notAMessage(at);
}

/** Numbers of a field: a packed list, or one number of an unpacked list. */
export function numbersIn(source: ByteSource, field: WireField): number[] {
  if (field.kind === 'number') return [field.value];
  const numbers: number[] = [];
  for (let at = field.at; at < field.at + field.value;) {
    const { value, next } = readVarint(source, at, field.at + field.value);
    numbers.push(value);
    at = next;
  }
  return numbers;
}

/** Texts of a network are names; longer ones, in bytes, are refused. */
const maxTextBytes = 1 << 20;

export function textIn(source: ByteSource, field: WireField): string {
  if (field.kind !== 'bytes' || field.value > maxTextBytes) throw notAMessage(field.at);
  return source.read(field.at, field.value).toString('utf8');
}

const notAMessage = (at: number) =>
  refused(`This is not an ONNX file, or it is damaged (at byte ${at}). Get it again.`);

/** A piece whose bytes are read only when it is written. */
interface LazyPiece {
  byteLength: number;
  read(): Uint8Array;
}
export type OutputPiece = Uint8Array | LazyPiece;

const lengthOf = (pieces: readonly OutputPiece[]) =>
  pieces.reduce((sum, { byteLength }) => sum + byteLength, 0);

function varint(value: number): Uint8Array {
  if (!Number.isSafeInteger(value))
    throw refused(`The file is damaged: it says ${value} where a whole number must stand.`);
  if (value >= 0 && value < 128) return Uint8Array.of(value);
  const bytes: number[] = [];
  let rest = BigInt.asUintN(64, BigInt(value));
  for (; rest > 127n; rest >>= 7n) bytes.push(Number(rest & 127n) | 128);
  return Uint8Array.from([...bytes, Number(rest)]);
}

/** Writes a varint field. */
export const numberField = (number: number, value: number): OutputPiece[] => [
  varint(number * 8),
  varint(value),
];

/** Writes a field with bytes, a text, or a message. */
export function bytesField(
  number: number,
  content: string | readonly OutputPiece[],
): OutputPiece[] {
  const pieces = typeof content === 'string' ? [Buffer.from(content)] : content;
  return [varint(number * 8 + 2), varint(lengthOf(pieces)), ...pieces];
}

/** Writes a field with a 32-bit float. */
export function floatField(number: number, value: number): OutputPiece[] {
  const bytes = Buffer.alloc(4);
  bytes.writeFloatLE(value);
  return [varint(number * 8 + 5), bytes];
}
