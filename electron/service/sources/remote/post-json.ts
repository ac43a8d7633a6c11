/** Sends JSON to an address that a client named. The rules for addresses are those of fetching a source. */
import { EnlargerError } from '../../../contract/errors.ts';
import { allowedAddresses, pinnedTo, type FetchOptions } from './fetch-url.ts';

export type PostOptions = Pick<FetchOptions, 'allowLocal' | 'resolve'> & {
  headers: Record<string, string>;
  signal: AbortSignal;
};

const timeoutMs = 15_000;

/**
 * Posts and answers the status; the body is not read and redirects are not followed. It throws SOURCE_REFUSED
 * for an address that is not allowed, and otherwise the error that the connection failed with.
 */
export async function postJson(
  address: string,
  body: string,
  { headers, signal, ...rules }: PostOptions,
): Promise<number> {
  const url = new URL(address);
  const { Agent } = await import('undici');
  const addresses = await allowedAddresses(url, rules);
  const agent = new Agent({
    connect: { lookup: pinnedTo(addresses), timeout: timeoutMs },
    headersTimeout: timeoutMs,
    allowH2: false,
  });
  try {
    const answer = await agent.request({
      origin: url.origin,
      path: url.pathname + url.search,
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json', 'user-agent': 'Enlarger' },
      body,
      signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
    });
    answer.body.on('error', () => undefined);
    return answer.statusCode;
  } finally {
    await agent.destroy();
  }
}

/** Throws INVALID_REQUEST for a text that can never be called. */
export function assertCallbackUrl(text: string): void {
  const url = URL.parse(text);
  if (url && /^https?:$/.test(url.protocol) && url.username === '' && url.password === '') return;
  throw new EnlargerError(
    'INVALID_REQUEST',
    `Expected callbackUrl to be an http: or https: URL without a name and a password but received ${JSON.stringify(text.slice(0, 80))}.`,
  );
}
