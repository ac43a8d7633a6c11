/** Answers a published file with its length, an ETag, conditional requests and ranges (RFC 9110). */
import { open } from 'node:fs/promises';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { EnlargerError } from '../../contract/errors.ts';

interface AnsweredFile {
  path: string;
  type: string;
  /** A browser saves the file under this name. */
  name: string;
  /** The ETag is strong, so other contents have another one. It is given without its quotes. */
  etag: string;
  maxAgeSeconds: number;
}

/** Sends the file. It throws TASK_NOT_FOUND when the file is gone, and RANGE_NOT_SATISFIABLE. */
export async function sendFile(request: FastifyRequest, reply: FastifyReply, file: AnsweredFile) {
  const handle = await open(file.path, 'r').catch((cause: unknown) => {
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
  // The stream closes the handle, also when the client goes away.
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

/** Plans the range. If-Range wants the part only of exactly these contents, and a date never proves that. */
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

/** Writes an ASCII name for old clients, and the real name as RFC 8187 does. */
function contentDisposition(name: string): string {
  const plain = name.replace(/[^\x20-\x7e]|["\\%]/g, '_');
  const encoded = encodeURIComponent(name).replace(
    /['()*]/g,
    (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  const extended = plain === name ? '' : `; filename*=UTF-8''${encoded}`;
  return `inline; filename="${plain}"${extended}`;
}

/** The range is that of a `Range: bytes=…` header with one part (RFC 9110, 14). */
interface ByteRange {
  /** Start and end are inclusive. */
  start: number;
  end: number;
}

/**
 * Answers the range of a header. Undefined means that the whole file is sent (no range, another unit, a
 * malformed range, or several parts); 'unsatisfiable' means that no byte of the range is in the file.
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
