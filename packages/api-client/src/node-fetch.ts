/**
 * Requests of a program that ends soon, by node:http: to load what Node fetches with takes longer than the few requests of
 * a command.
 */
import type { IncomingMessage } from 'node:http';
import type { Fetch, FetchAnswer } from './transport.ts';

/** An import of node:http would load all that it exports, Node's fetch among it. */
const { request } = process.getBuiltinModule('node:http');

/** For http: addresses that do not redirect. A file as the body is left to Node's fetch. */
export const nodeFetch: Fetch = async (address, options) => {
  const { method = 'GET', headers = {}, body, signal } = options;
  if (body !== undefined && typeof body !== 'string') return fetch(address, options);
  const message = await new Promise<IncomingMessage>((resolve, reject) => {
    request(address, { method, headers, ...(signal && { signal }) })
      .on('response', resolve)
      .on('error', reject)
      .end(body);
  });
  const isStream = message.headers['content-type']?.startsWith('text/event-stream') === true;
  return answerOf(message, isStream ? undefined : await readWhole(message));
};

function answerOf(message: IncomingMessage, whole: Buffer | undefined): FetchAnswer {
  const { statusCode: status = 0, statusMessage: statusText = '', headers } = message;
  const bytes = async () => whole ?? (await readWhole(message));
  const text = async () => (await bytes()).toString();
  return {
    ok: status >= 200 && status < 300,
    ...{ status, statusText },
    headers: { get: (name) => headers[name.toLowerCase()]?.toString() ?? null },
    body: message,
    text,
    json: async () => JSON.parse(await text()) as unknown,
    blob: async () => new Blob([await bytes()]),
  };
}

/** A body that nobody reads would keep its connection from the next request, and the process from its end. */
async function readWhole(message: AsyncIterable<Buffer>): Promise<Buffer<ArrayBuffer>> {
  const chunks: Buffer[] = [];
  for await (const chunk of message) chunks.push(chunk);
  return Buffer.concat(chunks);
}
