/**
 * Calls the `callbackUrl` of tasks that started or ended. Each call is signed. A call that fails is repeated
 * after growing pauses, also across restarts, and given up after the last one. A start is given up when its
 * task has ended.
 */
import { connectionReasonOf } from '../../../packages/contract/src/error-messages.ts';
import { EnlargerError } from '../../../packages/contract/src/errors.ts';
import { createHmac } from 'node:crypto';
import type { Settings } from '../../../packages/contract/src/settings/settings.ts';
import type { Log } from '../../../packages/contract/src/log.ts';
import {
  defaultCallbackEvents,
  type CallbackEvent,
} from '../../../packages/contract/src/request.ts';
import type {
  TaskEventMessage,
  TaskStatus,
  TaskView,
} from '../../../packages/contract/src/task.ts';
import type { ServiceClock } from '../timing/clock.ts';
import { postJson, type PostOptions } from '../sources/remote/post-json.ts';
import type { CallbackTable, DueCallback } from '../store/callbacks.ts';
import type { Task } from '../store/tasks/task.ts';
import type { Tasks } from './tasks.ts';

export interface Callbacks {
  start(): void;
  close(): Promise<void>;
}

interface CallbackOptions {
  table: CallbackTable;
  tasks: Pick<Tasks, 'get' | 'events'>;
  clock: Pick<ServiceClock, 'nowMs' | 'wallMs'>;
  settings: () => Pick<Settings, 'allowLocalSources'>;
  /** Whether the key may be called back on this machine and private networks. */
  mayCallLocal: (keyId: string) => boolean;
  secret: () => Buffer;
  /** Same view as `GET /api/task/{id}`. */
  viewOf: (task: Task) => TaskView;
  log: Log;
  resolve?: PostOptions['resolve'];
  /** Pause before each retry, in milliseconds. A call that fails after the last pause is given up. */
  pausesMs?: readonly number[];
}

const defaultPausesMs = [5_000, 30_000, 120_000, 600_000, 3_600_000, 21_600_000];
const maxInFlight = 40;
/** Keeps a slow host from delaying the callbacks of others. */
const maxPerHost = 4;
/** Keeps many slow hosts, or ports, of one key's tasks from delaying the callbacks of other keys. */
const maxPerKey = 20;
/** Upper bound of due callbacks scanned per check, to find some whose host is free. */
const maxDue = 5000;
/** Covers task ends of a former process, and retries that become due. */
const checkEveryMs = 30_000;
const minCheckMs = 1000;

const signatureHeader = 'x-enlarger-signature';
const timestampHeader = 'x-enlarger-timestamp';

/** HMAC-SHA256 of `<timestamp in seconds>.<body>`, hex. The timestamp lets a receiver reject a replay. */
const signatureOf = (secret: Buffer, timestamp: string, body: string) =>
  createHmac('sha256', secret).update(`${timestamp}.${body}`).digest('hex');

/**
 * Headers of Standard Webhooks (standardwebhooks.com). Its libraries verify them with `whsec_` and the
 * secret's bytes in Base64. The id is the same for every repetition of a message.
 */
function standardHeaders(secret: Buffer, id: string, timestamp: string, body: string) {
  const signature = createHmac('sha256', secret)
    .update(`${id}.${timestamp}.${body}`)
    .digest('base64');
  return {
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': `v1,${signature}`,
  };
}

export function createCallbacks(options: CallbackOptions): Callbacks {
  const { table, tasks, clock, log } = options;
  const closing = new AbortController();
  const inFlight = new Map<string, { host: string; keyId: string | null; done: Promise<void> }>();
  let timer: NodeJS.Timeout | undefined;
  let isCheckDue = false;
  /** Of the next scan: behind those whose host or key had no room. */
  let offset = 0;

  const countOf = (of: 'host' | 'keyId', value: string | null) =>
    [...inFlight.values()].filter((one) => one[of] === value).length;
  const begin = (due: DueCallback) => {
    const { taskId, keyId } = due;
    const host = hostOf(due.address);
    if (inFlight.has(taskId)) return;
    if (countOf('host', host) >= maxPerHost || countOf('keyId', keyId) >= maxPerKey) return;
    const done = deliver(due, options, closing.signal).then(check, (error: unknown) => {
      // Retried by the next interval check, not at once: the disk may be full.
      log('warn', 'A callback could not be told.', { error: String(error) });
    });
    inFlight.set(taskId, { host, keyId, done });
    void done.finally(() => inFlight.delete(taskId));
  };
  const checkNow = () => {
    isCheckDue = false;
    if (closing.signal.aborted) return;
    try {
      const found = table.due(clock.nowMs(), { limit: maxDue, offset });
      for (const due of found) {
        if (inFlight.size >= maxInFlight) break;
        begin(due);
      }
      offset = found.length >= maxDue && inFlight.size < maxInFlight ? offset + maxDue : 0;
    } catch (error) {
      log('warn', 'Callbacks could not be told.', { error: String(error) });
    }
    wait();
  };
  /** Coalesces ends that come in one turn of the event loop. */
  const check = () => {
    if (isCheckDue) return;
    isCheckDue = true;
    setImmediate(checkNow);
  };
  const wait = () => {
    clearTimeout(timer);
    const next = table.nextOn() ?? Infinity;
    const pauseMs = offset > 0 ? 0 : next - clock.nowMs();
    const ms = Math.min(checkEveryMs, Math.max(minCheckMs, pauseMs));
    timer = setTimeout(check, ms).unref();
  };
  const unsubscribe = tasks.events.subscribe(undefined, ({ task, isProgress }) => {
    if (isProgress) return;
    const { callbackUrl, callbackEvents = defaultCallbackEvents } = task.options;
    const event = eventOf(task.status);
    if (callbackUrl !== undefined && event && callbackEvents.includes(event)) check();
  });
  return {
    start: check,
    async close() {
      unsubscribe();
      closing.abort();
      clearTimeout(timer);
      await Promise.all([...inFlight.values()].map(({ done }) => done));
    },
  };
}

/** A waiting task has none. */
function eventOf(status: TaskStatus): CallbackEvent | undefined {
  if (status === 'PENDING') return undefined;
  return status === 'PROCESSING' ? 'started' : status === 'FINISHED' ? 'finished' : 'failed';
}

const hostOf = (address: string | null): string => URL.parse(address ?? '')?.host ?? '';

async function deliver(
  due: DueCallback,
  options: CallbackOptions,
  signal: AbortSignal,
): Promise<void> {
  const { table, tasks, clock, pausesMs = defaultPausesMs } = options;
  const task = tasks.get(due.taskId);
  const address = task?.options.callbackUrl;
  if (due.event === 'started' && task?.status !== 'PROCESSING') return;
  const problem =
    task === undefined || address === undefined
      ? 'The task is gone.'
      : await problemOf(due, { address, task }, options, signal);
  // A shutdown is no attempt: the call is made after the next start.
  if (signal.aborted) return;
  const attempts = due.attempts + 1;
  const pauseMs = pausesMs[due.attempts];
  const dueOn = clock.nowMs() + (pauseMs ?? 0);
  if (problem === undefined) table.note(due, { state: 'delivered', attempts, dueOn });
  else
    table.note(due, {
      state: pauseMs === undefined ? 'failed' : 'waiting',
      attempts,
      dueOn,
      problem,
    });
}

/**
 * Message of Standard Webhooks. The task's fields beside `data` are those of the former message, and stay for
 * one more release.
 */
function messageOf(
  { status, startedAt, endedAt, createdAt }: Task,
  view: TaskView,
): TaskEventMessage {
  const type = `task.${eventOf(status) ?? 'started'}` as const;
  const happenedAt = (status === 'PROCESSING' ? startedAt : endedAt) ?? createdAt;
  return { type, timestamp: new Date(happenedAt).toISOString(), data: view, ...view };
}

/** Returns undefined if the address accepted the call (status 2xx), else a sentence. */
async function problemOf(
  { event, occasion }: DueCallback,
  { address, task }: { address: string; task: Task },
  { clock, secret, viewOf, settings, mayCallLocal, resolve }: CallbackOptions,
  signal: AbortSignal,
): Promise<string | undefined> {
  const body = JSON.stringify(messageOf(task, viewOf(task)));
  const timestamp = String(Math.floor(clock.wallMs() / 1000));
  const id = `${task.taskId}.${event === 'started' ? 'started.' : ''}${occasion}`;
  const headers = {
    ...standardHeaders(secret(), id, timestamp, body),
    [timestampHeader]: timestamp,
    [signatureHeader]: `sha256=${signatureOf(secret(), timestamp, body)}`,
  };
  const isKeyLocal = task.keyId !== undefined && mayCallLocal(task.keyId);
  const allowLocal = settings().allowLocalSources || isKeyLocal;
  try {
    const rules = { headers, signal, allowLocal, ...(resolve && { resolve }) };
    const status = await postJson(address, body, rules);
    return status >= 200 && status < 300 ? undefined : `It answered with status ${status}.`;
  } catch (error) {
    return error instanceof EnlargerError
      ? error.message
      : `Its host ${connectionReasonOf(error)}.`;
  }
}
