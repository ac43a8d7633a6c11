/**
 * Encryption of files in transit: AES-256-GCM over chunks. A chunk's nonce contains its number and whether it
 * is the last one (STREAM construction; Hoang, Reyhanitabar, Rogaway and Vizár 2015), so that a changed,
 * reordered, truncated or exchanged file is rejected. Each file has its own key, derived by HKDF from the
 * pool's with 32 random bytes of salt, and is bound to its name. Layout: magic (8 bytes), salt (32), chunks
 * of 64 KiB, each with a tag (16); the last chunk may be shorter or empty.
 */
import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';
import { Transform, type TransformCallback } from 'node:stream';
import { asError } from '../../../contract/src/error-messages.ts';
import { EnlargerError } from '../../../contract/src/errors.ts';

const magic = Buffer.from('ENLSEAL1', 'latin1');
const saltBytes = 32;
const headBytes = magic.length + saltBytes;
const chunkBytes = 64 * 1024;
const tagBytes = 16;
const cipher = 'aes-256-gcm';

/**
 * @param key 32 bytes
 * @param name bound to the file; decryption needs the same name
 */
export function createSealing(key: Buffer, name: string): Transform {
  const salt = randomBytes(saltBytes);
  const nonces = createNonces(key, salt, name);
  const seal = (chunk: Buffer, isLast: boolean) => {
    const { fileKey, nonce, about } = nonces.next(isLast);
    const sealing = createCipheriv(cipher, fileKey, nonce).setAAD(about);
    return Buffer.concat([sealing.update(chunk), sealing.final(), sealing.getAuthTag()]);
  };
  return new Chunks(chunkBytes, Buffer.concat([magic, salt]), 0, () => seal);
}

/**
 * Decrypts a file of this key and name. The stream fails with SOURCE_REFUSED for anything else, or a
 * truncated file.
 */
export function createOpening(key: Buffer, name: string): Transform {
  const withHead = (head: Buffer) => {
    if (!head.subarray(0, magic.length).equals(magic)) throw notSealed();
    const nonces = createNonces(key, head.subarray(magic.length), name);
    return (chunk: Buffer, isLast: boolean) => {
      if (chunk.length < tagBytes) throw notSealed();
      const { fileKey, nonce, about } = nonces.next(isLast);
      const end = chunk.length - tagBytes;
      const opening = createDecipheriv(cipher, fileKey, nonce).setAAD(about);
      opening.setAuthTag(chunk.subarray(end));
      try {
        return Buffer.concat([opening.update(chunk.subarray(0, end)), opening.final()]);
      } catch (cause) {
        throw notSealed(cause);
      }
    };
  };
  return new Chunks(chunkBytes + tagBytes, undefined, headBytes, withHead);
}

function createNonces(key: Buffer, salt: Buffer, name: string) {
  const about = Buffer.from(`enlarger pool file ${name}`, 'utf8');
  const fileKey = Buffer.from(hkdfSync('sha256', key, salt, 'enlarger pool file', 32));
  let number = 0;
  return {
    next(isLast: boolean) {
      const nonce = Buffer.alloc(12);
      nonce.writeUIntBE(number, 5, 6);
      nonce[11] = isLast ? 1 : 0;
      number += 1;
      return { fileKey, nonce, about };
    },
  };
}

function notSealed(cause?: unknown): EnlargerError {
  return new EnlargerError(
    'SOURCE_REFUSED',
    "A file of the pool does not open: expected one that was sealed with this pool's key, whole and unchanged. Give all machines the same key.",
    { cause },
  );
}

type ChunkTransform = (chunk: Buffer, isLast: boolean) => Buffer;

/** Splits a stream into chunks and transforms each. */
class Chunks extends Transform {
  readonly #sizeBytes: number;
  readonly #headBytes: number;
  readonly #begin: (head: Buffer) => ChunkTransform;
  #turn: ChunkTransform | undefined;
  #held: Buffer[] = [];
  #heldBytes = 0;

  /**
   * @param lead written first
   * @param head number of bytes read before the first chunk
   */
  constructor(
    size: number,
    lead: Buffer | undefined,
    head: number,
    begin: (h: Buffer) => ChunkTransform,
  ) {
    super();
    this.#sizeBytes = size;
    this.#headBytes = head;
    this.#begin = begin;
    if (lead) this.push(lead);
  }

  override _transform(data: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    this.#held.push(data);
    this.#heldBytes += data.length;
    if (this.#heldBytes <= this.#sizeBytes + this.#headBytes) {
      done();
      return;
    }
    this.#attempt(done, () => this.#turnWhole());
  }

  override _flush(done: TransformCallback): void {
    this.#attempt(done, () => {
      const turn = this.#started();
      if (!turn) throw notSealed();
      this.#turnWhole();
      this.push(turn(this.#take(this.#heldBytes), true));
    });
  }

  /** A full chunk may be the last one, so it waits for more bytes. */
  #turnWhole(): void {
    const turn = this.#started();
    if (!turn) return;
    const held = this.#take(this.#heldBytes);
    let at = 0;
    for (; held.length - at > this.#sizeBytes; at += this.#sizeBytes)
      this.push(turn(held.subarray(at, at + this.#sizeBytes), false));
    this.#held = [held.subarray(at)];
    this.#heldBytes = held.length - at;
  }

  #started(): ChunkTransform | undefined {
    if (!this.#turn && this.#heldBytes >= this.#headBytes)
      this.#turn = this.#begin(this.#take(this.#headBytes));
    return this.#turn;
  }

  #take(bytes: number): Buffer {
    const all = this.#held.length === 1 ? (this.#held[0] as Buffer) : Buffer.concat(this.#held);
    this.#held = [all.subarray(bytes)];
    this.#heldBytes = all.length - bytes;
    return all.subarray(0, bytes);
  }

  #attempt(done: TransformCallback, work: () => void): void {
    try {
      work();
    } catch (thrown) {
      done(asError(thrown));
      return;
    }
    done();
  }
}
