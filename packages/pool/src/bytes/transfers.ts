/**
 * Files travel from machine to machine: they are hashed as they are sent, encrypted where there is a key, and
 * verified as they arrive. A file that does not arrive as it was sent never gets its name here.
 */
import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { PassThrough, Transform, type Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { Type, type Static } from 'typebox';
import { asError } from '../../../../electron/contract/error-messages.ts';
import { closed } from '../../../../electron/contract/common.ts';
import { allOf } from '../all-of.ts';
import { createOpening, createSealing } from './sealing.ts';
import { DamagedFile, readStorageAddress, type PoolStorage } from './storage.ts';

/** A file that lies in the storage. Its size and hash are those of its bytes before encryption. */
export const StoredFile = closed({
  name: Type.String({ maxLength: 300 }),
  sizeBytes: Type.Integer({ minimum: 0 }),
  sha256: Type.String({ pattern: '^[0-9a-f]{64}$' }),
});
export type StoredFile = Static<typeof StoredFile>;

export interface Transfers {
  send(fromPath: string, name: string, signal: AbortSignal): Promise<StoredFile>;
  /** @throws DamagedFile, or SOURCE_UNREACHABLE where the file is not there */
  receive(file: StoredFile, toPath: string, signal: AbortSignal): Promise<void>;
  readonly storage: PoolStorage;
}

/** @param key 32 bytes in base64url; with an empty key nothing is encrypted */
export async function openTransfers(address: string, key: string): Promise<Transfers> {
  return createTransfers(await openStorage(address), key);
}

/** Opens the storage of an address. The client of buckets is loaded only where a bucket is used. */
async function openStorage(address: string): Promise<PoolStorage> {
  const place = readStorageAddress(address);
  if (place.kind === 's3') return (await import('./s3-storage.ts')).createS3Storage(place);
  return (await import('./folder-storage.ts')).createFolderStorage(place.folder);
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
      // The failure of either stream ends the other.
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

/** Counts and hashes the bytes that pass. It fails as soon as there are more than `mostBytes`. */
function createCount(mostBytes = Infinity) {
  const hash = createHash('sha256');
  let sizeBytes = 0;
  const stream = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      sizeBytes += chunk.length;
      if (sizeBytes > mostBytes) {
        done(new DamagedFile(`A file of the pool has more than the ${mostBytes} bytes it should.`));
        return;
      }
      hash.update(chunk);
      done(null, chunk);
    },
  });
  return { stream, counted: () => ({ sizeBytes, sha256: hash.digest('hex') }) };
}
