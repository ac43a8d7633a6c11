/** This is the only door to the pool's server, Valkey or Redis. It is loaded only where a pool is set. */
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { isIP } from 'node:net';
import { Redis, type RedisOptions } from 'ioredis';
import {
  UserFacingError,
  connectionReasonOf,
} from '../../../../electron/contract/error-messages.ts';
import { EnlargerError } from '../../../../electron/contract/errors.ts';

/** All keys begin with this prefix, so that a user of the server can be limited to them. */
export const prefix = 'enlarger';

export interface PoolServer {
  /** Its commands fail at once while the server does not answer. */
  readonly quick: Redis;
  /** Opens a connection whose commands wait until the server answers again, for those that wait for work. */
  patient(): Redis;
  isReady(): boolean;
  /** Resolves when the server answers, or after that time. */
  untilReady(withinMs: number): Promise<void>;
  /** Says in a sentence why the server does not answer. */
  problem(): string | undefined;
  onChange(listener: () => void): void;
  close(): void;
}

const answerWithinMs = 5000;
const longestRetryMs = 2000;

/** Connects in the background. It throws INVALID_REQUEST for an address that is not a server's. */
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
      // The quick connection tells of failures; this one waits.
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

type Place = Omit<RedisOptions, 'replyMapping'> & { host: string; port: number };

function optionsOf(address: string): Place {
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
    connectTimeout: answerWithinMs,
    retryStrategy: (times) => Math.min(200 * times, longestRetryMs),
    // A server that was stopped closes no connection, so keep-alive notices its silence.
    keepAlive: 5000,
  };
}

const hostOf = ({ hostname }: URL) => hostname.replace(/^\[|\]$/g, '');

/** Reads `?ca=FILE`: the certificate that signed the server's own where no public authority did. */
function tlsOf(url: URL): NonNullable<RedisOptions['tls']> {
  const file = url.searchParams.get('ca');
  // RFC 6066 names no server by its IP address; the certificate is checked against the address all the same.
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

/** Awaits a command. A refusal in the words of the server or its client becomes a sentence of our own. */
export async function answered<T>(call: Promise<T>): Promise<T> {
  try {
    return await call;
  } catch (cause) {
    const why = cause instanceof Error ? refusalIn(cause.message) : undefined;
    if (why === undefined) throw cause;
    throw new UserFacingError(`The queue of the pool ${why}.`, { cause });
  }
}

/** The client says one of these, without a code, when the server goes away during a command. */
const closedUnder = /^Connection is closed|Stream isn't writeable|max retries per request/;

/** Reads a refusal by the code word that the server begins it with. */
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

function sentenceOf(error: Error, { host, port }: Place): string {
  return `The pool's server ${host}:${port} ${refusalIn(error.message) ?? connectionReasonOf(error)}. Check pool.address, and that it runs.`;
}
