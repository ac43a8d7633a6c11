/** Decides how bodies are read: JSON up to the limit in the settings, others only where a route takes them. */
import type { IncomingMessage } from 'node:http';
import type { FastifyRequest } from 'fastify';
import { EnlargerError } from '../../../contract/errors.ts';
import type { Api } from '../server.ts';
import { readJsonBody, tooLarge, type PictureSink } from './json-body.ts';
import type { PictureFields } from './json-scanner.ts';

interface JsonBodiesOptions {
  maxBodyBytes(): number;
  /** Pictures that stand as text in a body are written here while it is read. */
  pictures: PictureSink;
  /** Where pictures stand in bodies. */
  fields: PictureFields;
}

/** Has the server read JSON bodies; their pictures are dropped once the request is answered. */
export function readJsonBodies(
  app: Api,
  { maxBodyBytes, pictures, fields }: JsonBodiesOptions,
): void {
  const parse = app.getDefaultJsonParser('error', 'error');
  const heldFor = new WeakMap<FastifyRequest, string[]>();
  app.removeAllContentTypeParsers();
  app.addContentTypeParser(
    'application/json',
    async (request: FastifyRequest, payload: IncomingMessage) => {
      const mostBytes = maxBodyBytes();
      const announced = lengthOf(request);
      const body = await readJsonBody(payload, { announced, mostBytes, pictures, fields });
      heldFor.set(request, body.held);
      return body.text === '' ? undefined : parseWith(parse, request, body.text);
    },
  );
  app.addHook('onResponse', async (request) => pictures.drop(heldFor.get(request) ?? []));
}

/**
 * Has routes take bodies as raw bytes, whatever content type they claim.
 * @param refuse answers the refusal of a request's type; undefined means that the type is accepted
 */
export function takeRawBodies(
  app: Api,
  refuse: (request: FastifyRequest) => EnlargerError | undefined = () => undefined,
): void {
  app.removeContentTypeParser('application/json');
  app.addContentTypeParser('*', (request, payload, done) => {
    const refused = refuse(request);
    if (refused) done(refused);
    else done(null, payload);
  });
}

/**
 * Answers a raw body. It throws INVALID_REQUEST where there is none.
 * @param what the refusal says that this was expected, such as "a model's bytes"
 */
export function rawBody({ body }: FastifyRequest, what: string): AsyncIterable<Uint8Array> {
  if (typeof body === 'object' && body !== null && Symbol.asyncIterator in body)
    return body as AsyncIterable<Uint8Array>;
  throw new EnlargerError('INVALID_REQUEST', `Expected ${what} but received none.`);
}

type JsonParser = ReturnType<Api['getDefaultJsonParser']>;

function parseWith(parse: JsonParser, request: FastifyRequest, text: string): Promise<unknown> {
  return new Promise((resolve, reject) => {
    void parse(request, text, (error, value: unknown) => {
      if (error === null) resolve(value);
      else reject(malformed(error));
    });
  });
}

function malformed(error: Error): EnlargerError {
  const place = /position (\d+)/.exec(error.message)?.[1];
  const where =
    place === undefined ? 'it ends too early or is none' : `character ${place} cannot stand there`;
  return new EnlargerError('INVALID_REQUEST', `Expected the body to be JSON: ${where}.`, {
    cause: error,
  });
}

function lengthOf({ headers }: FastifyRequest): number {
  return Number(headers['content-length'] ?? 0);
}

/**
 * Reads a body as text. A body over the limit is read to its end and dropped, so that the caller gets to read
 * the answer; then this throws PAYLOAD_TOO_LARGE.
 */
export async function readAll(
  payload: NodeJS.ReadableStream,
  announced: number,
  most: number,
): Promise<string> {
  const chunks: Buffer[] = [];
  let sizeBytes = announced > most ? Infinity : 0;
  for await (const chunk of payload as AsyncIterable<Buffer>) {
    sizeBytes += chunk.length;
    if (sizeBytes <= most) chunks.push(chunk);
    else chunks.length = 0;
  }
  if (sizeBytes > most) throw tooLarge(most);
  return Buffer.concat(chunks).toString('utf8');
}
