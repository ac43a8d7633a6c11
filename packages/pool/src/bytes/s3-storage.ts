/**
 * Storage in an S3-compatible bucket, with the official client. An object appears when its upload is
 * complete.
 */
import { Readable } from 'node:stream';
import {
  DeleteObjectCommand,
  GetObjectCommand,
  HeadBucketCommand,
  paginateListObjectsV2,
  S3Client,
} from '@aws-sdk/client-s3';
import { Upload } from '@aws-sdk/lib-storage';
import {
  UserFacingError,
  errorCodeOf,
  connectionReasonOf,
} from '../../../contract/src/error-messages.ts';
import { EnlargerError } from '../../../contract/src/errors.ts';
import { type S3Address, assertName, maxListedNames, type PoolStorage } from './storage.ts';

/** Held in memory, two parts at a time. */
const partBytes = 8 * 1024 * 1024;
const partsInFlight = 2;

export function createS3Storage(address: S3Address): PoolStorage {
  const { bucket, prefix } = address;
  const client = new S3Client({
    region: address.region,
    ...(address.endpoint !== undefined && { endpoint: address.endpoint, forcePathStyle: true }),
    ...(address.credentials && { credentials: address.credentials }),
    // Off: files are hashed as a whole, and many servers other than Amazon's do not support these checksums.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    maxAttempts: 3,
  });
  const keyOf = (name: string) => {
    assertName(name);
    return prefix + name;
  };
  const remove = (key: string) =>
    client.send(new DeleteObjectCommand({ Bucket: bucket, Key: key }));
  return {
    async write(name, bytes, signal) {
      const upload = new Upload({
        client,
        params: { Bucket: bucket, Key: keyOf(name), Body: bytes },
        partSize: partBytes,
        queueSize: partsInFlight,
      });
      const abort = () => void upload.abort();
      signal.addEventListener('abort', abort, { once: true });
      try {
        signal.throwIfAborted();
        await upload.done();
      } catch (cause) {
        signal.throwIfAborted();
        if (bytes.errored) throw bytes.errored;
        const what = `The pool's file ${name} cannot be written to the bucket ${bucket}`;
        throw unreachable(what, cause);
      } finally {
        signal.removeEventListener('abort', abort);
      }
    },
    async read(name, signal) {
      const get = new GetObjectCommand({ Bucket: bucket, Key: keyOf(name) });
      const { Body } = await client.send(get, { abortSignal: signal }).catch((cause: unknown) => {
        throw unreachable(
          `The pool's file ${name} cannot be read from the bucket ${bucket}`,
          cause,
        );
      });
      if (Body instanceof Readable) return Body;
      throw new UserFacingError('The bucket answered without a body.');
    },
    async removeAll(folder) {
      const keys = { Bucket: bucket, Prefix: `${keyOf(folder)}/` };
      for await (const { Contents = [] } of paginateListObjectsV2({ client }, keys))
        for (const { Key } of Contents) if (Key !== undefined) await remove(Key);
    },
    async list(folder) {
      const under = `${keyOf(folder)}/`;
      const found: string[] = [];
      const request = { Bucket: bucket, Prefix: under, Delimiter: '/' };
      for await (const { CommonPrefixes = [], Contents = [] } of paginateListObjectsV2(
        { client },
        request,
      )) {
        for (const { Prefix = '' } of CommonPrefixes) found.push(Prefix.slice(under.length, -1));
        for (const { Key = '' } of Contents) found.push(Key.slice(under.length));
        if (found.length >= maxListedNames) break;
      }
      return found;
    },
    async check() {
      await client.send(new HeadBucketCommand({ Bucket: bucket })).catch((cause: unknown) => {
        throw unreachable(`The bucket ${bucket} of the pool cannot be reached`, cause);
      });
    },
    close: () => client.destroy(),
  };
}

const storageErrors: Record<string, string> = {
  NoSuchBucket: 'there is no such bucket',
  NotFound: 'there is no such bucket',
  AccessDenied: 'access is denied',
  Forbidden: 'access is denied',
  InvalidAccessKeyId: 'the access key is not known there',
  SignatureDoesNotMatch: 'the secret of the access key is wrong',
  RequestTimeTooSkewed: 'the clock of this machine is wrong',
};

/** The name of an error is part of the storage's interface; its text is not shown. */
function storageReasonOf(cause: unknown): string {
  const name = cause instanceof Error ? cause.name : '';
  const known = storageErrors[name];
  if (known) return known;
  const isNamed = /^[A-Z][A-Za-z]{3,60}$/.test(name) && !/^(Type)?Error$/.test(name);
  return errorCodeOf(cause) === '' && isNamed ? name : `it ${connectionReasonOf(cause)}`;
}

function unreachable(what: string, cause: unknown): EnlargerError {
  const why = storageReasonOf(cause);
  return new EnlargerError(
    'SOURCE_UNREACHABLE',
    `${what} (${why}). Check its address, and the access key.`,
    { cause },
  );
}
