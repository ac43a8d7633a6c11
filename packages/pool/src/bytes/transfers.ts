/**
 * File transfer between machines: hashed and, with a key, encrypted when sent; verified on arrival. A file
 * gets its name only if it arrived as it was sent.
 */
import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { PassThrough, Transform, type Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { Type, type Static } from 'typebox';
import { asError } from '../../../contract/src/error-messages.ts';
import { closed } from '../../../contract/src/common.ts';
import { allOf } from '../all-of.ts';
import { createOpening, createSealing } from './sealing.ts';
import { DamagedFile, readStorageAddress, type PoolStorage } from './storage.ts';

/** File in the storage. Size and hash are those before encryption. */
export const StoredFile = closed({
  name: Type.String({ maxLength: 300 }),
  sizeBytes: Type.Integer({ minimum: 0 }),
  sha256: Type.String({ pattern: '^[0-9a-f]{64}$' }),
});
export type StoredFile = Static<typeof StoredFile>;

export interface Transfers {
  send(fromPath: string, name: string, signal: AbortSignal): Promise<StoredFile>;
  /** @throws EnlargerError DamagedFile, or SOURCE_UNREACHABLE if missing */
  receive(file: StoredFile, toPath: string, signal: AbortSignal): Promise<void>;
  readonly storage: PoolStorage;
}

/** @param key 32 bytes in base64url; empty: no encryption */
export async function openTransfers(address: string, key: string): Promise<Transfers> {
  return createTransfers(await openStorage(address), key);
}

/** The S3 client is loaded only if a bucket is used. */
async function openStorage(address: string): Promise<PoolStorage> {
  const parsed = readStorageAddress(address);
  if (parsed.kind === 's3') return (await import('./s3-storage.ts')).createS3Storage(parsed);
  return (await import('./folder-storage.ts')).createFolderStorage(parsed.folder);
}

export function createTransfers(storage: PoolStorage, key: string): Transfers {
  const secret = key === '' ? undefined : Buffer.from(key, 'base64url');
  return {
    storage,
    async send(fromPath, name, signal) {
      const count = createCount();
      const sealing = secret ? createSealing(secret, name) : new PassThrough();
      const read = pipeline(createReadStream(fromPath), count.stream, sealing, { signal });
      const written = storage.write(name, sealing, signal);
      // A failure of either stream ends the other. The pipeline no longer listens for errors once a small file
      // is read whole; unheard, one would end the process.
      sealing.on('error', () => undefined);
      written.catch((thrown: unknown) => sealing.destroy(asError(thrown)));
      await allOf([written, read]);
      return { name, ...count.counted() };
    },
    async receive(file, toPath, signal) {
      const bytes = await storage.read(file.name, signal);
      const temporary = `${toPath}.arriving`;
      try {
        await receiveInto(temporary, bytes, file, secret, signal);
        await rename(temporary, toPath);
      } finally {
        await rm(temporary, { force: true });
      }
    },
  };
}

async function receiveInto(
  temporary: string,
  bytes: Readable,
  { name, sizeBytes, sha256 }: StoredFile,
  secret: Buffer | undefined,
  signal: AbortSignal,
): Promise<void> {
  const count = createCount(sizeBytes);
  const opening = secret ? createOpening(secret, name) : new PassThrough();
  const file = createWriteStream(temporary, { mode: 0o600 });
  await pipeline(bytes, opening, count.stream, file, { signal });
  const found = count.counted();
  if (found.sizeBytes === sizeBytes && found.sha256 === sha256) return;
  throw new DamagedFile(
    `The file ${name} of the pool is damaged: expected ${sizeBytes} bytes of the hash ${sha256.slice(0, 12)}… but received ${found.sizeBytes} of ${found.sha256.slice(0, 12)}….`,
  );
}

/** Counts and hashes a stream; fails above `maxBytes`. */
function createCount(maxBytes = Infinity) {
  const hash = createHash('sha256');
  let sizeBytes = 0;
  const stream = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      sizeBytes += chunk.length;
      if (sizeBytes > maxBytes) {
        done(new DamagedFile(`A file of the pool has more than the ${maxBytes} bytes it should.`));
        return;
      }
      hash.update(chunk);
      done(null, chunk);
    },
  });
  return { stream, counted: () => ({ sizeBytes, sha256: hash.digest('hex') }) };
}
