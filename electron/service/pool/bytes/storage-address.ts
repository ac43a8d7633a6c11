/** The setting `pool.storage` taken apart. Pure. */
import path from 'node:path';
import { EnlargerError } from '../../../contract/errors.ts';

export interface S3Place {
  kind: 's3';
  bucket: string;
  /** Ends with `/`, or is empty. */
  prefix: string;
  region: string;
  /** Absent: Amazon's. */
  endpoint?: string;
  /** Absent: where the official client looks for them (environment, ~/.aws). */
  credentials?: { accessKeyId: string; secretAccessKey: string };
}

export type StoragePlace = { kind: 'folder'; folder: string } | S3Place;

/** Throws INVALID_REQUEST with a sentence for what is neither. */
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
