/** Posts JSON to a client's URL, with the address rules of downloads. */
import { EnlargerError } from '../../../contract/errors.ts';
import { allowedAddresses, pinnedTo, type FetchUrlOptions } from './fetch-url.ts';

export type PostOptions = Pick<FetchUrlOptions, 'allowLocal' | 'resolve'> & {
  headers: Record<string, string>;
  signal: AbortSignal;
};

const timeoutMs = 15_000;

/**
 * Returns the status; ignores the body, follows no redirects.
 * @throws EnlargerError SOURCE_REFUSED for a forbidden address; else the connection's error
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

/** @throws EnlargerError INVALID_REQUEST */
export function assertCallbackUrl(text: string): void {
  const url = URL.parse(text);
  if (url && /^https?:$/.test(url.protocol) && url.username === '' && url.password === '') return;
  throw new EnlargerError(
    'INVALID_REQUEST',
    `Expected callbackUrl to be an http: or https: URL without a name and a password but received ${JSON.stringify(text.slice(0, 80))}.`,
  );
}
