/** Sends requests to the service, and turns every answer that is not 2xx into an ApiError. */
import type { ErrorBody } from '../contract/common.ts';

/**
 * A connection is the address of a service and the key to it. The key may change, because a service that
 * starts anew makes new ones.
 */
export interface Connection {
  /** The address is the service's; a page on the service's own origin needs none. */
  readonly url?: string;
  readonly key: string;
}

/** A request failed with this error. Its code is OFFLINE when the service did not answer at all. */
export class ApiError extends Error {
  readonly code: string;
  /** The status is undefined when nobody answered. */
  readonly statusCode: number | undefined;
  /** After this time the request may be tried again; it is undefined where the service did not say so. */
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
 * Encodes an id as one segment of a route. Ids may come from elsewhere, such as the text of an agent, and must not
 * lead to another route.
 * @throws ApiError INVALID_REQUEST for an empty id, `.` and `..`, which no encoding keeps
 */
export function pathSegment(id: string): string {
  if (id !== '' && id !== '.' && id !== '..') return encodeURIComponent(id);
  throw new ApiError('INVALID_REQUEST', `Expected an id but received ${JSON.stringify(id)}.`);
}

export interface Transport {
  /** Throws an ApiError for an answer that is not 2xx, and the signal's reason when the signal fires. */
  request: (method: string, route: string, init?: RequestInit) => Promise<Response>;
  get: <T>(route: string, signal?: AbortSignal) => Promise<T>;
  /** Sends a body as JSON. */
  send: (method: string, route: string, body?: object, more?: SendOptions) => Promise<Response>;
  /** Sends a body as JSON, and reads the answer's body as JSON, too. */
  ask: <T>(method: string, route: string, body?: object, more?: SendOptions) => Promise<T>;
}

export interface SendOptions {
  headers?: Record<string, string>;
  signal?: AbortSignal;
}

export function createTransport(connection: Connection): Transport {
  const request = (method: string, route: string, init: RequestInit = {}) => {
    const headers = new Headers(init.headers);
    headers.set('authorization', `KEY ${connection.key}`);
    const { url } = connection;
    const address = url === undefined ? route : new URL(route, url).href;
    return fetchAnswer(address, { ...init, method, headers });
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

/** Throws an ApiError for an answer that is not 2xx. It sends no key, and a link to a file needs none. */
export async function fetchAnswer(address: string, init: RequestInit): Promise<Response> {
  const response = await fetch(address, init).catch((cause: unknown) => {
    init.signal?.throwIfAborted();
    throw Object.assign(new ApiError('OFFLINE', 'The service does not answer.'), { cause });
  });
  if (response.ok) return response;
  throw await failureOf(response);
}

async function failureOf(response: Response): Promise<ApiError> {
  const { status: statusCode, headers } = response;
  const retryAfter = headers.get('retry-after');
  const retryAfterSeconds = retryAfter === null ? undefined : Number(retryAfter);
  const { code, message } = bodyOf(await response.text());
  const said = message ?? `The service answered ${statusCode} ${response.statusText}.`;
  return new ApiError(code ?? 'INTERNAL', said, { statusCode, retryAfterSeconds });
}

/** Reads an error's body, which is empty where a proxy or another program answered no JSON. */
function bodyOf(text: string): Partial<ErrorBody> {
  try {
    return JSON.parse(text) as Partial<ErrorBody>;
  } catch {
    return {};
  }
}
