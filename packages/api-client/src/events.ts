/** Reads the stream of all tasks' changes and reconnects when it breaks. */
import { createParser } from 'eventsource-parser';
import type { SettingsChange } from '../../contract/src/settings/settings.ts';
import type { Download } from '../../contract/src/models/obtainable.ts';
import type { QueueState } from '../../contract/src/queue.ts';
import type { TaskChange } from '../../contract/src/task.ts';
import type { Client } from './client.ts';
import { readAll } from './read-all.ts';
import { ApiError } from './transport.ts';

export interface EventHandlers {
  onChange?(change: TaskChange): void;
  /** State of the queue, at each connection and whenever it changes. */
  onQueue?(queue: QueueState): void;
  /** Names of changed settings and resources. */
  onSet?(names: SettingsChange['changed']): void;
  /** Progress of a download, from start to end. */
  onDownload?(download: Download): void;
  /** Changes may have been missed: read everything again. Also called at the first connection. */
  onReset?(): void;
  onConnected?(isConnected: boolean): void;
  /** The key is invalid; there is no reconnection. */
  onRefused?(): void;
  /**
   * The stream ended or could not be opened; it is retried when the promise resolves. Without this handler
   * the retry delays grow. An error it throws ends the reading.
   */
  onLost?(error: unknown): Promise<void>;
}

const firstRetryMs = 500;
const lastRetryMs = 5000;

/**
 * Runs until the signal fires or the key is refused. Reconnects and resumes after the last event.
 * @param client called per connection, because the service may have been replaced
 */
export async function keepEvents(
  client: () => Pick<Client, 'events'>,
  handlers: EventHandlers,
  signal: AbortSignal,
): Promise<void> {
  let lastEventId: string | undefined;
  let retryMs = firstRetryMs;
  const parser = createParser({
    onEvent: ({ id, event, data }) => {
      lastEventId = id ?? lastEventId;
      if (event === 'reset') handlers.onReset?.();
      else if (event === 'queue') handlers.onQueue?.(JSON.parse(data) as QueueState);
      else if (event === 'settings') handlers.onSet?.((JSON.parse(data) as SettingsChange).changed);
      else if (event === 'download') handlers.onDownload?.(JSON.parse(data) as Download);
      else if (event === undefined || event === 'message')
        handlers.onChange?.(JSON.parse(data) as TaskChange);
    },
  });
  const isOver = () => signal.aborted;
  while (!isOver()) {
    let lost: unknown;
    try {
      const response = await client().events(signal, lastEventId);
      retryMs = firstRetryMs;
      handlers.onConnected?.(true);
      if (lastEventId === undefined) handlers.onReset?.();
      await readAll(response, (text) => parser.feed(text));
    } catch (error) {
      lost = error;
    }
    if (lost instanceof ApiError && lost.code === 'UNAUTHORIZED' && handlers.onRefused) {
      handlers.onRefused();
      return;
    }
    if (isOver()) return;
    handlers.onConnected?.(false);
    parser.reset();
    await (handlers.onLost?.(lost) ?? pause(retryMs, signal));
    retryMs = Math.min(retryMs * 2, lastRetryMs);
  }
}

/** Resolves early when the signal fires. */
export async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await new Promise<void>((resolve) => {
    const end = () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    signal.addEventListener('abort', end);
  });
}
