/** Sends requests; a response that is not 2xx becomes an ApiError. */
import type { ErrorBody } from '../../contract/src/common.ts';

/** Address and key of a service. The key may change, since a restarted service issues new session keys. */
export interface ServiceConnection {
  /** Origin of the service; a page on the same origin needs none. */
  readonly url?: string;
  readonly key: string;
  /** Sends its requests; default: the platform's fetch. */
  readonly fetch?: Fetch;
}

/** Part of a fetch response that is used here. */
export interface FetchAnswer extends Pick<
  Response,
  'ok' | 'status' | 'statusText' | 'json' | 'text' | 'blob'
> {
  readonly headers: Pick<Headers, 'get'>;
  readonly body: ReadableStream<Uint8Array> | AsyncIterable<Uint8Array> | null;
}

export interface FetchOptions {
  method?: string;
  headers?: Record<string, string>;
  body?: string | Blob;
  signal?: AbortSignal;
}

export type Fetch = (address: string, options: FetchOptions) => Promise<FetchAnswer>;

/** Failed request. The code is OFFLINE if there was no response. */
export class ApiError extends Error {
  readonly code: string;
  /** Undefined without a response. */
  readonly statusCode: number | undefined;
  /** Seconds until a retry makes sense; undefined if the service did not say. */
  readonly retryAfterSeconds: number | undefined;

  constructor(
    code: string,
    message: string,
    answer: { statusCode?: number; retryAfterSeconds?: number | undefined } = {},
  ) {
    super(message);
    this.code = code;
    this.statusCode = answer.statusCode;
    this.retryAfterSeconds = answer.retryAfterSeconds;
  }
}

/**
 * Encodes an id as one path segment. Ids may come from elsewhere, such as an agent's text, and must not lead
 * to another route.
 * @throws ApiError INVALID_REQUEST for an empty id, `.` and `..`, which encoding does not protect
 */
export function pathSegment(id: string): string {
  if (id !== '' && id !== '.' && id !== '..') return encodeURIComponent(id);
  throw new ApiError('INVALID_REQUEST', `Expected an id but received ${JSON.stringify(id)}.`);
}

export interface Transport {
  /** @throws ApiError if the response is not 2xx; the signal's reason if it fires */
  request: (
    method: string,
    route: string,
    options?: Omit<FetchOptions, 'method'>,
  ) => Promise<FetchAnswer>;
  get: <T>(route: string, signal?: AbortSignal) => Promise<T>;
  /** JSON body. */
  send: (method: string, route: string, body?: object, more?: SendOptions) => Promise<FetchAnswer>;
  /** JSON body and JSON response. */
  ask: <T>(method: string, route: string, body?: object, more?: SendOptions) => Promise<T>;
}

export interface SendOptions {
  headers?: Record<string, string>;
  signal?: AbortSignal;
}

export function createTransport(connection: ServiceConnection): Transport {
  const request: Transport['request'] = (method, route, options = {}) => {
    const { url, key, fetch: send = fetch } = connection;
    const headers = { ...options.headers, authorization: `KEY ${key}` };
    const address = url === undefined ? route : new URL(route, url).href;
    return answerOf(send, address, { ...options, method, headers });
  };
  const get = async <T>(route: string, signal?: AbortSignal) =>
    (await (await request('GET', route, signal && { signal })).json()) as T;
  const send: Transport['send'] = (method, route, body, { headers, signal } = {}) =>
    request(method, route, {
      headers: { ...headers, ...(body && { 'content-type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
      ...(signal && { signal }),
    });
  const ask = async <T>(...call: Parameters<typeof send>) =>
    (await (await send(...call)).json()) as T;
  return { request, get, send, ask };
}

/** Error of a request without a response, or with an incomplete one. */
export const offline = (cause: unknown): ApiError =>
  Object.assign(new ApiError('OFFLINE', 'The service does not answer.'), { cause });

/** Sends no key; links to files need none. @throws ApiError if the response is not 2xx */
export const fetchAnswer = (address: string, signal?: AbortSignal): Promise<Response> =>
  answerOf<Response>(fetch, address, signal ? { signal } : {});

async function answerOf<Answer extends FetchAnswer>(
  send: (address: string, options: FetchOptions) => Promise<Answer>,
  address: string,
  options: FetchOptions,
): Promise<Answer> {
  const response = await send(address, options).catch((cause: unknown) => {
    options.signal?.throwIfAborted();
    throw offline(cause);
  });
  if (response.ok) return response;
  throw await failureOf(response);
}

async function failureOf(response: FetchAnswer): Promise<ApiError> {
  const { status: statusCode, headers } = response;
  const retryAfter = headers.get('retry-after');
  const retryAfterSeconds = retryAfter === null ? undefined : Number(retryAfter);
  const { code, message } = bodyOf(await response.text());
  const text = message ?? `The service answered ${statusCode} ${response.statusText}.`;
  return new ApiError(code ?? 'INTERNAL', text, { statusCode, retryAfterSeconds });
}

/** Empty if a proxy or another program responded without JSON. */
function bodyOf(text: string): Partial<ErrorBody> {
  try {
    return JSON.parse(text) as Partial<ErrorBody>;
  } catch {
    return {};
  }
}
