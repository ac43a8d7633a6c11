/**
 * Limits a reply of the pool's server. The client holds a reply in memory until it is whole, and whoever reaches the
 * queue can store half a gigabyte in one value. Sizes are read from the framing (RESP 2 and 3,
 * https://redis.io/docs/latest/develop/reference/protocol-spec/) before the bytes come.
 */
import { createConnection, type Socket } from 'node:net';
import { setImmediate } from 'node:timers/promises';
import { connect as connectTls, type ConnectionOptions } from 'node:tls';
import { AbstractConnector } from 'ioredis';

/** Far above 10,000 events of a queue with their results, the most that are read at once. */
export const maxReplyBytes = 64 * 1024 * 1024;

export class ReplyTooLarge extends Error {}

const lineEnd = 0x0a;
const digits = { from: 0x30, to: 0x39 };
const kinds = {
  bulk: Buffer.from('$=!'),
  list: Buffer.from('*~>'),
  pairs: Buffer.from('%|'),
};

/** Returns whether the replies are within the limit so far; chunks come in their order. */
export function createReplyLimit(maxBytes = maxReplyBytes): (chunk: Uint8Array) => boolean {
  /** Values that are still to come, of the innermost list last. */
  const open: number[] = [];
  let replyBytes = 0;
  let bodyBytes = 0;
  let kind = 0;
  let count = 0;
  let isNegative = false;

  function endValue(): void {
    while (open.length > 0) {
      const left = (open.pop() ?? 0) - 1;
      if (left > 0) {
        open.push(left);
        return;
      }
    }
    replyBytes = 0;
  }

  /** @returns the bytes that the value takes at least, besides those that have come */
  function endLine(): number {
    const length = isNegative ? 0 : count;
    if (kinds.bulk.includes(kind) && !isNegative) {
      bodyBytes = length + 2;
      return bodyBytes;
    }
    const values = kinds.list.includes(kind) ? length : kinds.pairs.includes(kind) ? 2 * length : 0;
    if (values > 0) open.push(values);
    else endValue();
    return values;
  }

  function takeHeader(byte: number): number {
    replyBytes += 1;
    if (byte === lineEnd) {
      const atLeast = endLine();
      [kind, count, isNegative] = [0, 0, false];
      return atLeast;
    }
    if (kind === 0) kind = byte;
    else if (byte >= digits.from && byte <= digits.to) count = count * 10 + byte - digits.from;
    else if (byte === 0x2d) isNegative = true;
    return 0;
  }

  return (chunk) => {
    for (let at = 0; at < chunk.length;) {
      if (bodyBytes > 0) {
        const taken = Math.min(bodyBytes, chunk.length - at);
        [at, bodyBytes, replyBytes] = [at + taken, bodyBytes - taken, replyBytes + taken];
        if (bodyBytes === 0) endValue();
      } else {
        const atLeast = takeHeader(chunk[at] ?? 0);
        at += 1;
        if (replyBytes + atLeast > maxBytes) return false;
      }
    }
    return true;
  };
}

interface Address {
  host: string;
  port: number;
  tls?: ConnectionOptions;
  disconnectTimeout?: number;
}

/** Connects as the client does by itself, and ends the connection at a reply that is too large. */
export class LimitedConnector extends AbstractConnector {
  readonly #address: Address;

  constructor(options: unknown) {
    const address = options as Address;
    super(address.disconnectTimeout ?? 2000);
    this.#address = address;
  }

  async connect(): Promise<Socket> {
    this.connecting = true;
    // The client may be told to disconnect in the turn in which it was made.
    await setImmediate();
    if (!this.#isConnecting()) throw new Error('Connection is closed.');
    const { host, port, tls } = this.#address;
    const stream = tls ? connectTls({ host, port, ...tls }) : createConnection({ host, port });
    stream.once('error', (error: Error) => {
      this.firstError = error;
    });
    const isWithin = createReplyLimit();
    stream.on('data', (chunk: Buffer) => {
      if (!stream.destroyed && !isWithin(chunk))
        stream.destroy(new ReplyTooLarge(`A reply has more than ${maxReplyBytes} bytes.`));
    });
    this.stream = stream;
    return stream;
  }

  #isConnecting(): boolean {
    return this.connecting;
  }
}
