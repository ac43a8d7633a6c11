/** The only access to the pool's server, Valkey or Redis. Loaded only if a pool is set. */
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { isIP } from 'node:net';
import { Redis, type RedisOptions } from 'ioredis';
import { UserFacingError, connectionReasonOf } from '../../../contract/src/error-messages.ts';
import { EnlargerError } from '../../../contract/src/errors.ts';
import { LimitedConnector, ReplyTooLarge } from './reply-limit.ts';

/** Prefix of all keys, so that a server user's access can be limited to them. */
export const prefix = 'enlarger';

export interface PoolServer {
  /** Commands fail at once while the server does not respond. */
  readonly quick: Redis;
  /** A connection whose commands wait until the server responds, for those that wait for work. */
  patient(): Redis;
  isReady(): boolean;
  /** Resolves when the server responds, or after the time. */
  untilReady(withinMs: number): Promise<void>;
  /** Reason why the server does not respond, as a sentence. */
  problem(): string | undefined;
  onChange(listener: () => void): void;
  close(): void;
}

const answerWithinMs = 5000;
const maxRetryMs = 2000;

/** Connects in the background. @throws EnlargerError INVALID_REQUEST for a malformed address */
export function openPoolServer(address: string): PoolServer {
  const options = optionsOf(address);
  const patients: Redis[] = [];
  const listeners: (() => void)[] = [];
  let problem: string | undefined;
  const quick = new Redis({
    ...options,
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    commandTimeout: answerWithinMs,
  });
  const tell = () => {
    for (const listener of listeners) listener();
  };
  quick.on('error', (error: Error) => {
    problem = sentenceOf(error, options);
    tell();
  });
  quick.on('ready', () => {
    problem = undefined;
    tell();
  });
  quick.on('close', tell);
  return {
    quick,
    patient() {
      const patient = new Redis({ ...options, maxRetriesPerRequest: null });
      // Failures are reported by the quick connection.
      patient.on('error', () => undefined);
      patients.push(patient);
      return patient;
    },
    isReady: () => quick.status === 'ready',
    async untilReady(withinMs) {
      if (quick.status === 'ready') return;
      const timeout = AbortSignal.timeout(withinMs);
      await once(quick, 'ready', { signal: timeout }).catch(() => undefined);
    },
    problem: () => problem,
    onChange: (listener) => void listeners.push(listener),
    close() {
      for (const one of [quick, ...patients]) one.disconnect();
    },
  };
}

type ServerAddress = Omit<RedisOptions, 'replyMapping'> & { host: string; port: number };

function optionsOf(address: string): ServerAddress {
  const url = URL.parse(address);
  if (!url || !/^rediss?:$/.test(url.protocol))
    throw new EnlargerError(
      'INVALID_REQUEST',
      'Expected pool.address to be like redis://host:6379 or rediss://user:password@host:6379.',
    );
  const db = Number(url.pathname.slice(1));
  return {
    host: hostOf(url),
    port: url.port === '' ? 6379 : Number(url.port),
    ...(url.username !== '' && { username: decodeURIComponent(url.username) }),
    ...(url.password !== '' && { password: decodeURIComponent(url.password) }),
    ...(Number.isInteger(db) && db > 0 && { db }),
    ...(url.protocol === 'rediss:' && { tls: tlsOf(url) }),
    Connector: LimitedConnector,
    connectTimeout: answerWithinMs,
    retryStrategy: (times) => Math.min(200 * times, maxRetryMs),
    // Keep-alive detects a server that was stopped without closing connections.
    keepAlive: 5000,
  };
}

const hostOf = ({ hostname }: URL) => hostname.replace(/^\[|\]$/g, '');

/** `?ca=FILE`: certificate that signed the server's own, unless a public authority did. */
function tlsOf(url: URL): NonNullable<RedisOptions['tls']> {
  const file = url.searchParams.get('ca');
  // RFC 6066 has no server names for IP addresses; the certificate is still checked against the address.
  const named = isIP(hostOf(url)) === 0 ? { servername: url.hostname } : {};
  if (file === null) return named;
  try {
    return { ...named, ca: readFileSync(file) };
  } catch (cause) {
    throw new EnlargerError(
      'INVALID_REQUEST',
      `The certificate ${file} that pool.address names cannot be read.`,
      { cause },
    );
  }
}

/** Awaits a command. Errors in the server's or client's wording become sentences. */
export async function withSentence<T>(call: Promise<T>): Promise<T> {
  try {
    return await call;
  } catch (cause) {
    const why = cause instanceof Error ? refusalIn(cause.message) : undefined;
    if (why === undefined) throw cause;
    throw new UserFacingError(`The queue of the pool ${why}.`, { cause });
  }
}

/** The client's messages, without a code, if the server goes away during a command. */
const closedUnder = /^Connection is closed|Stream isn't writeable|max retries per request/;

/** By the code word with which the server's error begins. */
function refusalIn(said: string): string | undefined {
  const word = /^[A-Z]{3,}(?= )/.exec(said)?.[0] ?? '';
  if (/^(WRONGPASS|NOAUTH)$/.test(word) || /invalid (username|password)/i.test(said))
    return `refuses the name or the password${word && ` (${word})`}`;
  if (/^NOPERM/.test(said)) return 'does not allow this user what a pool needs';
  if (/^LOADING/.test(said)) return 'is starting and does not answer yet';
  if (/^OOM/.test(said)) return 'has no memory left: raise its maxmemory';
  if (/^MISCONF/.test(said)) return 'takes nothing, because it cannot write to its disk';
  if (/^READONLY/.test(said)) return 'takes nothing, because it is a copy of another one';
  if (closedUnder.test(said)) return 'closed the connection';
  return /timed out/i.test(said) ? 'does not answer in time' : undefined;
}

function sentenceOf(error: Error, { host, port }: ServerAddress): string {
  if (error instanceof ReplyTooLarge)
    return `The pool's server ${host}:${port} holds a value that is larger than any of a pool. Find out who reaches it, and empty it.`;
  return `The pool's server ${host}:${port} ${refusalIn(error.message) ?? connectionReasonOf(error)}. Check pool.address, and that it runs.`;
}
