/** The storage holds files between machines. Names are parts of letters, digits and `-_.`, joined by `/`. */
import type { Readable } from 'node:stream';
import { UserFacingError } from '../../../../electron/contract/error-messages.ts';
import path from 'node:path';
import { EnlargerError } from '../../../../electron/contract/errors.ts';

export interface PoolStorage {
  /** Writes a file, which appears whole under its name or not at all. */
  write(name: string, bytes: Readable, signal: AbortSignal): Promise<void>;
  /** Opens a file. @throws SOURCE_UNREACHABLE where it is not there, DamagedFile for what is no regular file */
  read(name: string, signal: AbortSignal): Promise<Readable>;
  /** Removes all names that begin with the prefix and `/`. It is no failure when there are none. */
  removeAll(prefix: string): Promise<void>;
  /**
   * Lists the parts that follow the prefix and `/`, up to the next `/`, of all names that begin so; about
   * `maxListedNames` of them at most.
   */
  list(prefix: string): Promise<string[]>;
  /** Resolves when the storage can be written and read, and throws a sentence otherwise. */
  check(): Promise<void>;
  close(): void;
}

export const maxListedNames = 10_000;

/** The bytes that arrived are not those that were sent, or that a machine says it sent. */
export class DamagedFile extends EnlargerError {
  constructor(message: string) {
    super('SOURCE_REFUSED', message);
  }
}

const part = /^[\w-][\w.-]*$/;

/** Throws for a name that would lead elsewhere, because names come from other machines too. */
export function assertName(name: string): void {
  if (name.length <= 300 && name.split('/').every((one) => part.test(one))) return;
  throw new UserFacingError(
    `Expected the name of a pool's file but received ${JSON.stringify(name.slice(0, 300))}.`,
  );
}

/** A bucket, as the setting `pool.storage` names it. */
export interface S3Place {
  kind: 's3';
  bucket: string;
  /** The prefix ends with `/`, or is empty. */
  prefix: string;
  region: string;
  /** The endpoint is Amazon's where it is absent. */
  endpoint?: string;
  /** Where they are absent, the official client looks for them (environment, ~/.aws). */
  credentials?: { accessKeyId: string; secretAccessKey: string };
}

type StoragePlace = { kind: 'folder'; folder: string } | S3Place;

/** Reads the setting `pool.storage`. It throws INVALID_REQUEST for what is neither a folder nor a bucket. */
export function readStorageAddress(text: string): StoragePlace {
  if (text.startsWith('s3://')) return readS3(text);
  if (path.isAbsolute(text) && !text.includes('\0'))
    return { kind: 'folder', folder: path.resolve(text) };
  throw new EnlargerError(
    'INVALID_REQUEST',
    `Expected pool.storage to be the absolute path of a shared folder, or s3://bucket/prefix, but received ${JSON.stringify(text)}.`,
  );
}

function readS3(text: string): S3Place {
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
