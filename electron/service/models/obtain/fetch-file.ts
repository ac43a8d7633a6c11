/**
 * Downloads one file from a list of URLs. Interrupted transfers are resumed; bytes are counted and hashed as
 * they arrive, and the file is renamed into place only if all is right.
 */
import { createHash, type Hash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { open, rename, rm, stat } from 'node:fs/promises';
import type { RequestInit, Response } from 'undici';
import { EnlargerError } from '../../../../packages/contract/src/errors.ts';
import type { ObtainableFile } from '../../../../packages/contract/src/models/obtainable.ts';
import { asStorageFull } from '../../../../packages/files/src/file-errors.ts';

export interface FetchFileOptions {
  file: ObtainableFile;
  /** Path of the complete file. Until then its bytes are in `<toPath>.part`. */
  toPath: string;
  signal: AbortSignal;
  onProgress: (receivedBytes: number) => void;
  /** Proxy URL; empty for HTTP_PROXY, HTTPS_PROXY and NO_PROXY. */
  proxy?: string;
  /** Retry delay, multiplied by the number of tries. Shortened by tests. */
  pauseMs?: number;
}

/** Tries per URL if its transfer breaks off. */
const triesEach = 3;
/** Limit for files of unpublished size. */
const maxUnpublishedBytes = 2 ** 31 - 1;
const idleLimitMs = 30_000;

/** Failure of one URL; the next one is tried. */
class AddressFailed extends Error {
  /** True if a retry of the same URL may succeed. */
  readonly isRetryable: boolean;
  constructor(message: string, isRetryable: boolean) {
    super(message);
    this.isRetryable = isRetryable;
  }
}

/**
 * @returns the SHA-256
 * @throws EnlargerError SOURCE_UNREACHABLE with each URL's failure, CANCELLED, STORAGE_FULL
 */
export async function fetchFile(options: FetchFileOptions): Promise<string> {
  const { file, signal, pauseMs = 1000 } = options;
  const failures: string[] = [];
  for (const url of file.urls)
    for (let tries = 1; tries <= triesEach; tries += 1) {
      try {
        return await fetchFrom(url, options);
      } catch (error) {
        if (signal.aborted) throw cancelled();
        const failed = failureOf(error);
        if (tries === 1 || !failed.isRetryable)
          failures.push(`${new URL(url).host}: ${failed.message}`);
        if (!failed.isRetryable) break;
        await new Promise((resolve) => setTimeout(resolve, tries * pauseMs));
      }
    }
  throw new EnlargerError(
    'SOURCE_UNREACHABLE',
    `${file.name} could not be fetched. ${failures.join(' ')} Try again later, or get it by other means and add it.`,
  );
}

const cancelled = () => new EnlargerError('CANCELLED', 'The download was cancelled.');

/** Converts network errors; rethrows errors of the disk and own errors. */
function failureOf(error: unknown): AddressFailed {
  if (error instanceof AddressFailed) return error;
  const isNetwork = error instanceof TypeError || (error as Error).name === 'TimeoutError';
  if (!isNetwork) throw asStorageFull(error);
  return new AddressFailed('the connection broke off.', true);
}

async function fetchFrom(url: string, options: FetchFileOptions): Promise<string> {
  const { file, toPath, signal, proxy = '' } = options;
  const part = `${toPath}.part`;
  const { fetch, EnvHttpProxyAgent } = await import('undici');
  const proxies = proxy === '' ? {} : { httpProxy: proxy, httpsProxy: proxy };
  const dispatcher = new EnvHttpProxyAgent(proxies);
  // Without a hash nothing would detect that two parts do not belong together.
  const isKnown = file.sha256 !== undefined;
  const had = isKnown ? ((await stat(part).catch(() => undefined))?.size ?? 0) : 0;
  const idle = watchIdle(signal);
  try {
    const headers = { 'accept-encoding': 'identity', ...(had > 0 && { range: `bytes=${had}-` }) };
    const response = await follow(url, { headers, signal: idle.signal, dispatcher }, fetch);
    const from = await startOf(response, had, part);
    const sha256 = await receive(response, from, options, idle.refresh);
    if (file.sha256 !== undefined && sha256 !== file.sha256) {
      await rm(part, { force: true });
      // The earlier part may be from another URL.
      throw new AddressFailed('other bytes came than were published.', from > 0);
    }
    await rename(part, toPath);
    return sha256;
  } finally {
    idle.end();
    await dispatcher.destroy();
  }
}

const maxRedirects = 10;

/** @throws AddressFailed for too many redirects, and for one that leaves https */
async function follow(
  url: string,
  init: RequestInit,
  fetch: (url: string, init: RequestInit) => Promise<Response>,
): Promise<Response> {
  let address = url;
  for (let count = 0; count <= maxRedirects; count += 1) {
    const response = await fetch(address, { ...init, redirect: 'manual' });
    const location = response.headers.get('location');
    if (response.status < 300 || response.status > 399 || location === null) return response;
    await response.body?.cancel();
    address = redirectedTo(address, location);
  }
  throw new AddressFailed(`it redirected more than ${maxRedirects} times.`, false);
}

/** @throws AddressFailed for a malformed URL, and for one that leaves https */
export function redirectedTo(from: string, location: string): string {
  const to = URL.parse(location, from);
  const isSafe = to?.protocol === 'https:' || (to?.protocol === 'http:' && /^http:/i.test(from));
  if (to && isSafe) return to.href;
  throw new AddressFailed('it redirected to an address that is not https.', false);
}

/**
 * Offset of the response's bytes in the file; 0 if the server sends the whole file.
 * @throws AddressFailed for any other response
 */
async function startOf(response: Response, had: number, part: string): Promise<number> {
  const { status } = response;
  if (status === 206 && had > 0) {
    const range = /^bytes (\d+)-/.exec(response.headers.get('content-range') ?? '');
    if (Number(range?.[1]) === had) return had;
    await response.body?.cancel();
    await rm(part, { force: true });
    throw new AddressFailed('it continued at another place than was asked for.', true);
  }
  if (status === 416) {
    await response.body?.cancel();
    await rm(part, { force: true });
    throw new AddressFailed('it cannot continue.', true);
  }
  if (status === 200) return 0;
  await response.body?.cancel();
  throw new AddressFailed(`it answered ${status}.`, status >= 500 || status === 429);
}

async function receive(
  response: Response,
  from: number,
  { file, toPath, onProgress, signal }: FetchFileOptions,
  refresh: () => void,
): Promise<string> {
  const part = `${toPath}.part`;
  const hash = createHash('sha256');
  if (from > 0) await hashWhatIsThere(part, hash);
  const to = await open(part, from > 0 ? 'a' : 'w', 0o600);
  let at = from;
  try {
    for await (const chunk of response.body ?? []) {
      signal.throwIfAborted();
      refresh();
      const bytes = chunk as Uint8Array;
      if (at + bytes.length > (file.sizeBytes ?? maxUnpublishedBytes)) {
        await to.truncate(0);
        throw new AddressFailed('more bytes came than were published.', false);
      }
      await to.writeFile(bytes);
      hash.update(bytes);
      at += bytes.length;
      onProgress(at);
    }
    await to.sync();
  } finally {
    await to.close();
  }
  const announced = Number(response.headers.get('content-length') ?? NaN);
  const expected = file.sizeBytes ?? (Number.isNaN(announced) ? at : from + announced);
  if (at < expected) throw new AddressFailed(`it ended after ${at} of ${expected} bytes.`, true);
  return hash.digest('hex');
}

async function hashWhatIsThere(path: string, hash: Hash): Promise<void> {
  for await (const chunk of createReadStream(path)) hash.update(chunk as Buffer);
}

/** Signal that fires with the caller's, or when nothing was received for `idleLimitMs`. */
function watchIdle(signal: AbortSignal) {
  const expired = new AbortController();
  const timeout = new DOMException('Nothing was heard.', 'TimeoutError');
  const timer = setTimeout(() => expired.abort(timeout), idleLimitMs);
  return {
    signal: AbortSignal.any([signal, expired.signal]),
    refresh: () => void timer.refresh(),
    end: () => clearTimeout(timer),
  };
}
