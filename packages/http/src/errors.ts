/** Error responses: `{ statusCode, code, error, message }`. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { ErrorBody } from '../../contract/src/common.ts';
import {
  EnlargerError,
  requestErrorStatus,
  type RequestErrorCode,
} from '../../contract/src/errors.ts';
import type { Log } from '../../contract/src/log.ts';
import { isDiskFull } from '../../files/src/file-errors.ts';
import type { Socket } from 'node:net';
import { statusName } from './status-name.ts';

/** Retry-After, seconds. */
export const retryAfterSeconds: Partial<Record<RequestErrorCode, number>> = {
  TOO_MANY_REQUESTS: 60,
  QUEUE_FULL: 60,
  QUEUE_PAUSED: 60,
  MODEL_UNAVAILABLE: 3600,
  SHUTTING_DOWN: 5,
};

/** Codes of Fastify's own errors. */
const fastifyCodes: Record<string, RequestErrorCode> = {
  FST_ERR_CTP_BODY_TOO_LARGE: 'PAYLOAD_TOO_LARGE',
  FST_REQ_FILE_TOO_LARGE: 'PAYLOAD_TOO_LARGE',
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'UNSUPPORTED_MEDIA_TYPE',
  FST_ERR_MAX_PARAM_LENGTH: 'NOT_FOUND',
  FST_ERR_REOPENED_CLOSE_SERVER: 'SHUTTING_DOWN',
};

function errorBody(code: RequestErrorCode, message: string): ErrorBody {
  const statusCode = requestErrorStatus[code];
  return { statusCode, code, error: statusName(statusCode), message };
}

export function sendError(reply: FastifyReply, code: RequestErrorCode, message: string) {
  const body = errorBody(code, message);
  const seconds = retryAfterSeconds[code];
  if (seconds !== undefined) void reply.header('retry-after', String(seconds));
  return reply.code(body.statusCode).type('application/json; charset=utf-8').send(body);
}

/** Error body for responses that hold several outcomes. */
export function errorBodyOf(thrown: unknown): ErrorBody {
  const { code, message } = refusalOf(thrown);
  return errorBody(code, message);
}

export function createErrorHandler(log: Log) {
  return (thrown: unknown, request: FastifyRequest, reply: FastifyReply) => {
    const { code, message } = isUnreadType(thrown) ? unreadType(request) : refusalOf(thrown);
    if (code === 'INTERNAL') {
      // What was begun for a client that is gone may meet a part that is closed.
      const level = reply.raw.destroyed ? 'warn' : 'error';
      log(level, 'A request failed', { route: request.routeOptions.url, ...described(thrown) });
    }
    // The unread body makes the connection unusable for another request.
    const { complete, headers } = request.raw;
    const hasBody =
      headers['transfer-encoding'] !== undefined || Number(headers['content-length']) > 0;
    if (hasBody && !complete) void reply.header('connection', 'close');
    return sendError(reply, code, message);
  };
}

interface Refusal {
  code: RequestErrorCode;
  message: string;
}

/** What the caller learns. Details of internal errors stay in the log. */
export function refusalOf(thrown: unknown): Refusal {
  if (thrown instanceof EnlargerError)
    return { code: requestCodeOf(thrown.code), message: thrown.message };
  if (!(thrown instanceof Error)) return internal;
  const systemCode = 'code' in thrown && typeof thrown.code === 'string' ? thrown.code : '';
  if (isDiskFull(thrown) || systemCode === 'SQLITE_FULL')
    return { code: 'STORAGE_FULL', message: 'The disk is full; make room and try again.' };
  const known = fastifyCodes[systemCode];
  if (known !== undefined) return { code: known, message: sentenceOf(thrown.message) };
  const status = 'statusCode' in thrown ? Number(thrown.statusCode) : 500;
  if (status < 400 || status >= 500) return internal;
  return { code: 'INVALID_REQUEST', message: sentenceOf(thrown.message) };
}

const isUnreadType = (thrown: unknown): boolean =>
  thrown instanceof Error && 'code' in thrown && thrown.code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE';

const bodyTypes = ['application/json', 'multipart/form-data'];

/** Names the types of bodies that are read where the request went. */
function unreadType({ server, headers }: FastifyRequest): Refusal {
  const accepted = bodyTypes.filter((type) => server.hasContentTypeParser(type));
  const received = headers['content-type'] ?? 'none';
  return {
    code: 'UNSUPPORTED_MEDIA_TYPE',
    message: `Expected a body of the type ${accepted.join(' or ')} but received ${received}. Name the type in Content-Type.`,
  };
}

const internal: Refusal = {
  code: 'INTERNAL',
  message: 'Something failed inside Enlarger; logs/enlarger.log in its data folder says more.',
};

/** A task's error code that a request meets, such as for an unwritable file, is an error of the request. */
function requestCodeOf(code: string): RequestErrorCode {
  return isRequestCode(code) ? code : 'INVALID_REQUEST';
}

function isRequestCode(code: string): code is RequestErrorCode {
  return code in requestErrorStatus;
}

function sentenceOf(message: string): string {
  return /[.!?]$/.test(message) ? message : `${message}.`;
}

function described(thrown: unknown): Record<string, unknown> {
  if (!(thrown instanceof Error)) return { thrown: String(thrown) };
  return { error: thrown.message, stack: thrown.stack };
}

/** Statuses other than 400. */
const statusOfBroken: Record<string, number> = {
  HPE_HEADER_OVERFLOW: 431,
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 413,
  ERR_HTTP_REQUEST_TIMEOUT: 408,
};

/** Responds to broken HTTP in the shape of other errors and closes the connection. */
export function answerClientError(error: Error & { code?: string }, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const statusCode = statusOfBroken[error.code ?? ''] ?? 400;
  const name = statusName(statusCode);
  const message =
    statusCode === 408 ? 'The request took too long to arrive.' : 'The request is not valid HTTP.';
  const body = JSON.stringify({ statusCode, code: 'INVALID_REQUEST', error: name, message });
  socket.end(
    `HTTP/1.1 ${statusCode} ${name}\r\ncontent-type: application/json; charset=utf-8\r\n` +
      `content-length: ${Buffer.byteLength(body)}\r\nconnection: close\r\n\r\n${body}`,
    () => socket.destroy(),
  );
}
