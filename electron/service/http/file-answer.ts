/** A published file as an answer: length, ETag, conditional requests and ranges (RFC 9110). */
import { open } from 'node:fs/promises';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { EnlargerError } from '../../contract/errors.ts';

interface AnsweredFile {
  path: string;
  type: string;
  /** What a browser saves it as. */
  name: string;
  /** Strong: another content has another one. Without its quotes. */
  etag: string;
  maxAgeSeconds: number;
}

/** Throws TASK_NOT_FOUND when the file is gone, and RANGE_NOT_SATISFIABLE. */
export async function sendFile(request: FastifyRequest, reply: FastifyReply, file: AnsweredFile) {
  const handle = await open(file.path, 'r').catch((cause: unknown) => {
    throw new EnlargerError('TASK_NOT_FOUND', 'The result is gone.', { cause });
  });
  const { size } = await handle.stat();
  const etag = `"${file.etag}"`;
  describe(reply, file, etag);
  const range = rangeFor(request, size, etag);
  if (hasIt(request, etag) || range === 'unsatisfiable' || request.method === 'HEAD') {
    await handle.close();
    if (hasIt(request, etag)) return reply.code(304).send();
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

/** If-Range asks for the part only of the very content that is here; a date never says that. */
function rangeFor({ headers, method }: FastifyRequest, sizeBytes: number, etag: string) {
  const condition = headers['if-range'];
  if (method !== 'GET' || (condition !== undefined && condition !== etag)) return undefined;
  return planRange(headers.range, sizeBytes);
}

function hasIt({ headers }: FastifyRequest, etag: string): boolean {
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

/** An ASCII name for old clients, the real one as RFC 8187 writes it. */
function contentDisposition(name: string): string {
  const plain = name.replace(/[^\x20-\x7e]|["\\%]/g, '_');
  const encoded = encodeURIComponent(name).replace(
    /['()*]/g,
    (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  const extended = plain === name ? '' : `; filename*=UTF-8''${encoded}`;
  return `inline; filename="${plain}"${extended}`;
}

/** `Range: bytes=…` of one part (RFC 9110, 14). */
interface ByteRange {
  /** Both inclusive. */
  start: number;
  end: number;
}

/**
 * Undefined: send the whole (no range, another unit, a malformed one, or several parts). 'unsatisfiable':
 * none of it is in the file.
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
