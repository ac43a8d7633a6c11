/**
 * Downloads pictures over http(s). Every resolved address is checked and the connection pinned to them;
 * redirects are checked anew. No proxy, cookies or keys; credentials in the URL go to its own origin only.
 */
import { lookup } from 'node:dns/promises';
import type { LookupAddress } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import type { Dispatcher } from 'undici';
import { connectionReasonOf } from '../../../../packages/contract/src/error-messages.ts';
import { EnlargerError, taskCancelled } from '../../../../packages/contract/src/errors.ts';
import { isAllowedAddress, withoutBrackets } from './addresses.ts';
import { decodedBody } from './decoded-body.ts';
import { receiveFile, tooLargeSentence, type ReceivedFile } from '../received-file.ts';

export interface FetchUrlOptions {
  toPath: string;
  maxBytes: number;
  allowLocal: boolean;
  signal: AbortSignal;
  /** Default: the system's resolver. */
  resolve?: (hostname: string) => Promise<LookupAddress[]>;
  timeouts?: FetchTimeouts;
}

interface FetchTimeouts {
  connectMs: number;
  /** Maximum between request and headers, and between chunks of the body. */
  silenceMs: number;
  /** Maximum for one URL, including the body. */
  totalMs: number;
  /** Interval of the minimum-rate check. */
  rateWindowMs: number;
}

/** Slower servers hold a slot on purpose, or are of no use. */
const minBytesPerSecond = 4096;

const defaultTimeouts: FetchTimeouts = {
  connectMs: 10_000,
  silenceMs: 30_000,
  totalMs: 20 * 60_000,
  rateWindowMs: 20_000,
};
const maxRedirects = 5;
const redirectCodes = [301, 302, 303, 307, 308];

/**
 * @throws EnlargerError SOURCE_UNREACHABLE, SOURCE_REFUSED, SOURCE_TOO_LARGE, STORAGE_FULL, or CANCELLED if
 *   the signal fired; then `toPath` does not exist
 */
export async function fetchUrl(address: string, options: FetchUrlOptions): Promise<ReceivedFile> {
  const first = new URL(address);
  let url = first;
  for (let redirects = 0; redirects <= maxRedirects; redirects++) {
    const outcome = await fetchOnce(url, first, options);
    if (!('location' in outcome)) return outcome;
    url = nextUrl(url, outcome.location);
  }
  throw unreachable(first, `redirects more than ${maxRedirects} times`);
}

async function fetchOnce(
  url: URL,
  first: URL,
  options: FetchUrlOptions,
): Promise<ReceivedFile | { location: string }> {
  const timeouts = options.timeouts ?? defaultTimeouts;
  const limit = AbortSignal.timeout(timeouts.totalMs);
  const signal = AbortSignal.any([options.signal, limit]);
  const { Agent } = await import('undici');
  let agent: Dispatcher | undefined;
  try {
    const addresses = await abortable(allowedAddresses(url, options), signal);
    agent = new Agent({
      connect: { lookup: pinnedTo(addresses), timeout: timeouts.connectMs },
      headersTimeout: timeouts.silenceMs,
      bodyTimeout: timeouts.silenceMs,
      allowH2: false,
    });
    return await receive(url, first, agent, { ...options, signal });
  } catch (error) {
    throw sourceError(error, url, options.signal, limit);
  } finally {
    await agent?.destroy();
  }
}

async function receive(
  url: URL,
  first: URL,
  agent: Dispatcher,
  options: FetchUrlOptions,
): Promise<ReceivedFile | { location: string }> {
  const { toPath, maxBytes, signal } = options;
  const answer = await agent.request({
    origin: url.origin,
    path: url.pathname + url.search,
    method: 'GET',
    headers: headersFor(url, first),
    signal,
  });
  const { statusCode, headers, body } = answer;
  // An unread body fails when the agent is destroyed.
  body.on('error', () => undefined);
  const location = headers['location'];
  if (redirectCodes.includes(statusCode) && typeof location === 'string') return { location };
  if (statusCode !== 200) throw unreachable(url, `answered with status ${statusCode}`);
  if (Number(headers['content-length']) > maxBytes)
    throw new EnlargerError('SOURCE_TOO_LARGE', tooLargeSentence(maxBytes));
  const decoded = decodedBody(body, headers['content-encoding']);
  const { rateWindowMs } = options.timeouts ?? defaultTimeouts;
  const steady = withMinRate(decoded, rateWindowMs, () =>
    body.destroy(unreachable(url, 'sends the picture too slowly')),
  );
  return receiveFile(toPath, steady, { maxBytes, tooLarge: 'SOURCE_TOO_LARGE', signal });
}

/** Calls `onSlow` if fewer bytes than the minimum rate came in an interval. */
async function* withMinRate(
  chunks: AsyncIterable<Uint8Array>,
  windowMs: number,
  onSlow: () => void,
): AsyncGenerator<Uint8Array> {
  const least = (minBytesPerSecond * windowMs) / 1000;
  let bytes = 0;
  const timer = setInterval(() => {
    if (bytes < least) onSlow();
    bytes = 0;
  }, windowMs);
  try {
    for await (const chunk of chunks) {
      bytes += chunk.length;
      yield chunk;
    }
  } finally {
    clearInterval(timer);
  }
}

function headersFor(url: URL, first: URL): Record<string, string> {
  const headers = {
    'accept-encoding': 'identity',
    accept: 'image/*,*/*;q=0.8',
    'user-agent': 'Enlarger',
  };
  if (url.origin !== first.origin || (first.username === '' && first.password === ''))
    return headers;
  const credentials = `${decodeURIComponent(first.username)}:${decodeURIComponent(first.password)}`;
  return { ...headers, authorization: `Basic ${Buffer.from(credentials).toString('base64')}` };
}

function nextUrl(from: URL, location: string): URL {
  const next = URL.parse(location, from.href);
  if (next === null) throw unreachable(from, 'redirects to something that is not a URL');
  if (next.protocol === 'http:' || next.protocol === 'https:') return next;
  throw new EnlargerError(
    'SOURCE_REFUSED',
    `${from.host} redirects to a ${next.protocol} address; only http: and https: are followed.`,
  );
}

/** Resolves all addresses of the host. @throws EnlargerError SOURCE_REFUSED if any of them is not allowed */
export async function allowedAddresses(
  url: URL,
  options: Pick<FetchUrlOptions, 'resolve' | 'allowLocal'>,
): Promise<LookupAddress[]> {
  const hostname = withoutBrackets(url.hostname);
  const family = isIP(hostname);
  const resolve = options.resolve ?? ((name) => lookup(name, { all: true, order: 'verbatim' }));
  const addresses = family === 0 ? await resolve(hostname) : [{ address: hostname, family }];
  if (addresses.length === 0) throw unreachable(url, 'has no address');
  const refused = addresses.find(({ address }) => !isAllowedAddress(address, options.allowLocal));
  if (refused === undefined) return addresses;
  throw new EnlargerError(
    'SOURCE_REFUSED',
    `${url.host} is at ${refused.address}, an address of this machine or a private network. ` +
      'Such sources are fetched only when the setting allowLocalSources is on.',
  );
}

/** A lookup that returns the checked addresses only. */
export function pinnedTo(addresses: LookupAddress[]): LookupFunction {
  return (_hostname, { all }, callback) => {
    if (all === true) callback(null, addresses);
    else callback(null, addresses[0]?.address ?? '', addresses[0]?.family);
  };
}

/**
 * Rejects when the signal fires. The work continues unobserved, since name resolution cannot be cancelled.
 */
function abortable<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const stop = () => reject(signal.reason as Error);
    if (signal.aborted) stop();
    signal.addEventListener('abort', stop, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop));
  });
}

function unreachable(url: URL, what: string, cause?: unknown): EnlargerError {
  return new EnlargerError('SOURCE_UNREACHABLE', `${url.host} ${what}.`, { cause });
}

function sourceError(error: unknown, url: URL, stopped: AbortSignal, limit: AbortSignal): unknown {
  if (stopped.aborted) return taskCancelled(error);
  if (limit.aborted) return unreachable(url, 'took too long to send the picture', error);
  if (error instanceof EnlargerError) return error;
  return unreachable(url, connectionReasonOf(error), error);
}
