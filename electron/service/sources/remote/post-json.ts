/** Posts JSON to a client's URL, with the address rules of downloads. */
import { isIP } from 'node:net';
import { EnlargerError } from '../../../../packages/contract/src/errors.ts';
import { isAllowedAddress, withoutBrackets } from './addresses.ts';
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

/**
 * Refuses at the submit what could never be called. A name that leads to a local address is refused when it is
 * called, because it may lead elsewhere by then.
 *
 * @throws EnlargerError INVALID_REQUEST
 */
export function assertCallbackUrl(text: string, { allowLocal }: { allowLocal: boolean }): void {
  const url = URL.parse(text);
  const isPlain =
    url !== null && /^https?:$/.test(url.protocol) && url.username === '' && url.password === '';
  const received = JSON.stringify(text.slice(0, 80));
  if (!isPlain)
    throw new EnlargerError(
      'INVALID_REQUEST',
      `Expected callbackUrl to be an http: or https: URL without a name and a password but received ${received}.`,
    );
  if (isReachable(withoutBrackets(url.hostname), allowLocal)) return;
  throw new EnlargerError(
    'INVALID_REQUEST',
    `Expected callbackUrl to be no address of this machine or a private network but received ${received}. The setting allowLocalSources allows them, or a key made with localCallbacks.`,
  );
}

const isReachable = (hostname: string, allowLocal: boolean): boolean =>
  isIP(hostname) === 0
    ? allowLocal || !/(^|\.)localhost\.?$/.test(hostname)
    : isAllowedAddress(hostname, allowLocal);
