/** How bodies are read: JSON up to the limit in the settings, everything else refused unless a route takes it. */
import type { FastifyRequest } from 'fastify';
import { EnlargerError } from '../../contract/errors.ts';
import type { Api } from './deps.ts';

/** @param maxBodyBytes asked at each request: the limit is a setting */
export function readJsonBodies(app: Api, maxBodyBytes: () => number): void {
  const parse = app.getDefaultJsonParser('error', 'error');
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('application/json', (request, payload, done) => {
    readAll(payload, lengthOf(request), maxBodyBytes()).then((text) => {
      if (text === '') done(null, undefined);
      else parse(request, text, (error, value) => done(error && malformed(error), value));
    }, done);
  });
}

function malformed(error: Error): EnlargerError {
  return new EnlargerError('INVALID_REQUEST', `Expected the body to be JSON: ${error.message}.`, {
    cause: error,
  });
}

function lengthOf({ headers }: FastifyRequest): number {
  return Number(headers['content-length'] ?? 0);
}

/** What is over the limit is read to its end and dropped, so that the caller gets to read the answer. */
function readAll(payload: NodeJS.ReadableStream, announced: number, most: number): Promise<string> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let sizeBytes = 0;
    const refuse = () => {
      chunks.length = 0;
      reject(new EnlargerError('PAYLOAD_TOO_LARGE', bodyTooLarge(most)));
    };
    if (announced > most) refuse();
    payload.on('data', (chunk: Buffer) => {
      sizeBytes += chunk.length;
      if (sizeBytes > most || announced > most) refuse();
      else chunks.push(chunk);
    });
    payload.on('end', () => resolve(Buffer.concat(chunks).toString('utf8')));
    payload.on('error', reject);
  });
}

function bodyTooLarge(most: number): string {
  return `The body is larger than ${most} bytes, the limit in the settings (maxBodyBytes).`;
}
