/** The stream of all tasks' changes, kept up for as long as the page lives. */
import { createParser } from 'eventsource-parser';
import type { TaskChange } from '../../electron/contract/task.ts';
import { ApiError, type Client } from './client.ts';

export interface EventHandlers {
  onChange(change: TaskChange): void;
  /** Changes may have been missed: list the tasks anew. Also called at the first connection. */
  onReset(): void;
  onConnected(isConnected: boolean): void;
  /** The key is not valid any more. The stream is not tried again. */
  onRefused(): void;
}

const firstRetryMs = 500;
const lastRetryMs = 5000;

/** Runs until `signal` fires or the key is refused; reconnects by itself. */
export async function keepEvents(client: Client, handlers: EventHandlers, signal: AbortSignal) {
  let lastEventId: string | undefined;
  let retryMs = firstRetryMs;
  const parser = createParser({
    onEvent: ({ id, event, data }) => {
      lastEventId = id ?? lastEventId;
      if (event === 'reset') handlers.onReset();
      else if (event === undefined || event === 'message')
        handlers.onChange(JSON.parse(data) as TaskChange);
    },
  });
  while (!signal.aborted) {
    try {
      const response = await client.events(signal, lastEventId);
      retryMs = firstRetryMs;
      handlers.onConnected(true);
      if (lastEventId === undefined) handlers.onReset();
      await readAll(response, (text) => parser.feed(text));
    } catch (error) {
      if (error instanceof ApiError && error.code === 'UNAUTHORIZED') {
        handlers.onRefused();
        return;
      }
    }
    handlers.onConnected(false);
    parser.reset();
    await new Promise((resolve) => setTimeout(resolve, retryMs));
    retryMs = Math.min(retryMs * 2, lastRetryMs);
  }
}

async function readAll(response: Response, onText: (text: string) => void): Promise<void> {
  if (response.body === null) return;
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    onText(value);
  }
}
