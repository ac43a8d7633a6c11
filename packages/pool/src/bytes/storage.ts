/** Storage of files between machines. Names are segments of letters, digits and `-_.`, joined by `/`. */
import type { Readable } from 'node:stream';
import { UserFacingError } from '../../../contract/src/error-messages.ts';
import path from 'node:path';
import { EnlargerError } from '../../../contract/src/errors.ts';

export interface PoolStorage {
  /** The file appears complete under its name, or not at all. */
  write(name: string, bytes: Readable, signal: AbortSignal): Promise<void>;
  /** @throws EnlargerError SOURCE_UNREACHABLE if missing; DamagedFile for anything but a regular file */
  read(name: string, signal: AbortSignal): Promise<Readable>;
  /** Deletes all names below the prefix; none is no failure. */
  removeAll(prefix: string): Promise<void>;
  /** Names directly below the prefix, about `maxListedNames` at most. */
  list(prefix: string): Promise<string[]>;
  /** @throws Error a sentence if the storage cannot be read and written */
  check(): Promise<void>;
  close(): void;
}

export const maxListedNames = 10_000;

/** The bytes received are not those sent, or not those announced. */
export class DamagedFile extends EnlargerError {
  constructor(message: string) {
    super('SOURCE_REFUSED', message);
  }
}

const part = /^[\w-][\w.-]*$/;

/** Names come from other machines. @throws UserFacingError for one that could lead elsewhere */
export function assertName(name: string): void {
  if (name.length <= 300 && name.split('/').every((one) => part.test(one))) return;
  throw new UserFacingError(
    `Expected the name of a pool's file but received ${JSON.stringify(name.slice(0, 300))}.`,
  );
}

/** Bucket of the setting `pool.storage`. */
export interface S3Address {
  kind: 's3';
  bucket: string;
  /** Ends with `/`, or is empty. */
  prefix: string;
  region: string;
  /** Amazon's if absent. */
  endpoint?: string;
  /** If absent, the client searches environment and ~/.aws. */
  credentials?: { accessKeyId: string; secretAccessKey: string };
}

type StorageAddress = { kind: 'folder'; folder: string } | S3Address;

/** @throws EnlargerError INVALID_REQUEST unless `pool.storage` is a folder or bucket */
export function readStorageAddress(text: string): StorageAddress {
  if (text.startsWith('s3://')) return readS3(text);
  if (path.isAbsolute(text) && !text.includes('\0'))
    return { kind: 'folder', folder: path.resolve(text) };
  throw new EnlargerError(
    'INVALID_REQUEST',
    `Expected pool.storage to be the absolute path of a shared folder, or s3://bucket/prefix, but received ${JSON.stringify(text)}.`,
  );
}

function readS3(text: string): S3Address {
  const url = URL.parse(text);
  const bucket = url?.hostname ?? '';
  const endpoint = url?.searchParams.get('endpoint') ?? undefined;
  if (!url || !/^[a-z0-9][a-z0-9.-]{1,62}$/.test(bucket) || !isEndpoint(endpoint))
    throw new EnlargerError(
      'INVALID_REQUEST',
      'Expected pool.storage to be like s3://ACCESS_KEY:SECRET@bucket/prefix?endpoint=https://host:9000&region=us-east-1, but its bucket or endpoint is not one.',
    );
  const prefix = decodeURIComponent(url.pathname).replace(/^\/+|\/+$/g, '');
  const accessKeyId = decodeURIComponent(url.username);
  const secretAccessKey = decodeURIComponent(url.password);
  return {
    kind: 's3',
    bucket,
    prefix: prefix === '' ? '' : `${prefix}/`,
    region: url.searchParams.get('region') ?? 'us-east-1',
    ...(endpoint !== undefined && { endpoint }),
    ...(accessKeyId !== '' && { credentials: { accessKeyId, secretAccessKey } }),
  };
}

const isEndpoint = (endpoint: string | undefined) =>
  endpoint === undefined || /^https?:$/.test(URL.parse(endpoint)?.protocol ?? '');
