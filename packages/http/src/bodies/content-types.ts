/** Body parsers: JSON up to the limit in the settings, others only where a route accepts them. */
import type { IncomingMessage } from 'node:http';
import type { FastifyRequest } from 'fastify';
import { EnlargerError } from '../../../contract/src/errors.ts';
import type { Api } from '../server.ts';
import { bodyAccountOf, countBodies, type BodyBudget } from './body-budget.ts';
import { readJsonBody, type PictureSink } from './json-body.ts';
import type { PictureFields } from './json-scanner.ts';

interface JsonBodiesOptions {
  maxBodyBytes: () => number;
  /** Receives pictures inside bodies while these are read. */
  pictures: PictureSink;
  /** Fields that hold pictures. */
  fields: PictureFields;
  budget: BodyBudget;
}

/** Parses JSON bodies; their pictures are dropped after the response. */
export function readJsonBodies(
  app: Api,
  { maxBodyBytes, pictures, fields, budget }: JsonBodiesOptions,
): void {
  const parse = app.getDefaultJsonParser('error', 'error');
  countBodies(app, budget);
  app.removeAllContentTypeParsers();
  app.addContentTypeParser(
    'application/json',
    async (request: FastifyRequest, payload: IncomingMessage) => {
      const maxBytes = maxBodyBytes();
      const announced = lengthOf(request);
      const account = bodyAccountOf(request);
      const { text } = await withStagedImages(request, pictures, (placeholders) =>
        readJsonBody(payload, { announced, maxBytes, pictures, fields, account, placeholders }),
      );
      return text === '' ? undefined : parseWith(parse, request, text);
    },
  );
}

/**
 * Calls `read` with a list for placeholders. Their pictures are dropped when the response closes, also after
 * a disconnect.
 */
export async function withStagedImages<T>(
  request: FastifyRequest,
  pictures: Pick<PictureSink, 'drop'>,
  read: (placeholders: string[]) => Promise<T>,
): Promise<T> {
  const placeholders: string[] = [];
  try {
    return await read(placeholders);
  } finally {
    // A file that cannot be deleted lies in the scratch folder, which each start empties.
    const drop = () => void pictures.drop(placeholders).catch(() => undefined);
    if (placeholders.length > 0) bodyAccountOf(request).onClosed(drop);
  }
}

/** Accepts raw bodies of any content type. @param refuse returns an error for types that are not accepted */
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
 * @param what names the expected bytes in the error, e.g. "a model's bytes"
 * @throws EnlargerError INVALID_REQUEST without a body
 */
export function rawBody({ body }: FastifyRequest, what: string): AsyncIterable<Uint8Array> {
  if (typeof body === 'object' && body !== null && Symbol.asyncIterator in body)
    return body as AsyncIterable<Uint8Array>;
  throw new EnlargerError('INVALID_REQUEST', `Expected ${what} but received none.`);
}

/**
 * Passes on the parts of a form, or the bytes of a file in it.
 * @throws EnlargerError INVALID_REQUEST if the form is broken or ends within; the parser's errors of limits stay
 */
export async function* readWhole<T>(form: AsyncIterable<T>): AsyncGenerator<T> {
  try {
    yield* form;
  } catch (cause) {
    throw asBrokenForm(cause);
  }
}

/** The parser's errors of limits have a status, those of a broken form have none. */
export function asBrokenForm(cause: unknown): unknown {
  if (cause instanceof Error && 'statusCode' in cause) return cause;
  if (cause instanceof EnlargerError) return cause;
  return new EnlargerError('INVALID_REQUEST', 'Expected a whole form with one file in it.', {
    cause,
  });
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
