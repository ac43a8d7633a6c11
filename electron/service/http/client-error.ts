/** What never became a request: broken HTTP, headers that take too long or are too large. */
import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';

const statusOf: Record<string, number> = {
  HPE_HEADER_OVERFLOW: 431,
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 413,
  ERR_HTTP_REQUEST_TIMEOUT: 408,
};

/** Answers in the shape of every other error and closes the connection. */
export function answerClientError(error: Error & { code?: string }, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const statusCode = statusOf[error.code ?? ''] ?? 400;
  const name = STATUS_CODES[statusCode] ?? 'Error';
  const message =
    statusCode === 408 ? 'The request took too long to arrive.' : 'The request is not valid HTTP.';
  const body = JSON.stringify({ statusCode, code: 'INVALID_REQUEST', error: name, message });
  socket.end(
    `HTTP/1.1 ${statusCode} ${name}\r\ncontent-type: application/json; charset=utf-8\r\n` +
      `content-length: ${Buffer.byteLength(body)}\r\nconnection: close\r\n\r\n${body}`,
    () => socket.destroy(),
  );
}
