/** Sends a file with length, ETag, conditional requests and ranges (RFC 9110). */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { EnlargerError } from '../../contract/src/errors.ts';
import { openPlainFile } from '../../files/src/plain-file.ts';

interface AnsweredFile {
  path: string;
  type: string;
  /** Name for downloads. */
  name: string;
  /** Strong ETag, without quotes. */
  etag: string;
  maxAgeSeconds: number;
}

/** @throws EnlargerError TASK_NOT_FOUND if the file is gone, RANGE_NOT_SATISFIABLE */
export async function sendFile(request: FastifyRequest, reply: FastifyReply, file: AnsweredFile) {
  const handle = await openPlainFile(file.path).catch((cause: unknown) => {
    throw new EnlargerError('TASK_NOT_FOUND', 'The result is gone.', { cause });
  });
  const { size } = await handle.stat();
  const etag = `"${file.etag}"`;
  describe(reply, file, etag);
  const range = rangeFor(request, size, etag);
  if (isUnchanged(request, etag) || range === 'unsatisfiable' || request.method === 'HEAD') {
    await handle.close();
    if (isUnchanged(request, etag)) return reply.code(304).send();
    if (range === 'unsatisfiable') throw unsatisfiable(reply, size);
    return announce(reply, size, range).send();
  }
  // The stream closes the handle, also after a disconnect.
  return announce(reply, size, range).send(
    handle.createReadStream({ ...range, highWaterMark: 1 << 18 }),
  );
}

function describe(reply: FastifyReply, { type, name, maxAgeSeconds }: AnsweredFile, etag: string) {
  void reply.headers({
    'content-type': type,
    'content-disposition': contentDisposition(name),
    'cache-control': `private, max-age=${maxAgeSeconds}`,
    'accept-ranges': 'bytes',
    etag,
  });
}

/** If-Range requires a matching ETag; dates are never accepted. */
function rangeFor({ headers, method }: FastifyRequest, sizeBytes: number, etag: string) {
  const condition = headers['if-range'];
  if (method !== 'GET' || (condition !== undefined && condition !== etag)) return undefined;
  return planRange(headers.range, sizeBytes);
}

function isUnchanged({ headers }: FastifyRequest, etag: string): boolean {
  const known = headers['if-none-match'];
  if (known === undefined) return false;
  return known
    .split(',')
    .some((one) => one.trim() === '*' || one.trim().replace(/^W\//, '') === etag);
}

function announce(reply: FastifyReply, sizeBytes: number, range: ByteRange | undefined) {
  if (range === undefined) return reply.code(200).header('content-length', sizeBytes);
  const { start, end } = range;
  void reply.header('content-range', `bytes ${start}-${end}/${sizeBytes}`);
  return reply.code(206).header('content-length', end - start + 1);
}

function unsatisfiable(reply: FastifyReply, sizeBytes: number): EnlargerError {
  void reply.header('content-range', `bytes */${sizeBytes}`).removeHeader('content-disposition');
  return new EnlargerError(
    'RANGE_NOT_SATISFIABLE',
    `The file has ${sizeBytes} bytes; the range asked for holds none of them.`,
  );
}

/** ASCII fallback, and the name in RFC 8187 encoding. */
function contentDisposition(name: string): string {
  const plain = name.replace(/[^\x20-\x7e]|["\\%]/g, '_');
  const encoded = encodeURIComponent(name).replace(
    /['()*]/g,
    (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  const extended = plain === name ? '' : `; filename*=UTF-8''${encoded}`;
  return `inline; filename="${plain}"${extended}`;
}

/** A `Range: bytes=…` with one part (RFC 9110, 14). */
interface ByteRange {
  /** Inclusive, like the end. */
  start: number;
  end: number;
}

/**
 * Returns undefined for the whole file (no range, another unit, malformed, several parts), 'unsatisfiable' if
 * no byte is inside.
 */
function planRange(
  header: string | undefined,
  sizeBytes: number,
): ByteRange | 'unsatisfiable' | undefined {
  const parts = /^bytes=\s*(\d{0,15})-(\d{0,15})\s*$/.exec(header ?? '');
  const [, first = '', last = ''] = parts ?? [];
  if (first === '' && last === '') return undefined;
  if (first === '') return lastBytes(Number(last), sizeBytes);
  const start = Number(first);
  const end = last === '' ? sizeBytes - 1 : Math.min(Number(last), sizeBytes - 1);
  if (last !== '' && Number(last) < start) return undefined;
  return start < sizeBytes ? { start, end } : 'unsatisfiable';
}

function lastBytes(count: number, sizeBytes: number): ByteRange | 'unsatisfiable' {
  if (count === 0 || sizeBytes === 0) return 'unsatisfiable';
  return { start: Math.max(0, sizeBytes - count), end: sizeBytes - 1 };
}
