/** Follows one download to its end, by its own stream. */
import { createParser } from 'eventsource-parser';
import { hasEnded, type Download } from '../contract/obtainable.ts';
import { pause, readAll } from './events.ts';
import type { DownloadCalls } from './model-calls.ts';

const retryMs = 500;

/**
 * Tells each state of a download that was begun, and resolves with the last. A stream that breaks is opened again;
 * rejects when the service does not answer then, or does not know it any more.
 */
export async function followDownload(
  calls: Pick<DownloadCalls, 'events'>,
  id: string,
  onState: (download: Download) => void,
): Promise<Download> {
  const { signal } = new AbortController();
  for (;;) {
    let last: Download | undefined;
    const parser = createParser({
      onEvent({ data }) {
        last = JSON.parse(data) as Download;
        onState(last);
      },
    });
    const response = await calls.events(id);
    // One that breaks is opened again, and that tells whether there still is a service.
    await readAll(response, (text) => parser.feed(text)).catch(() => undefined);
    if (last !== undefined && hasEnded(last)) return last;
    await pause(retryMs, signal);
  }
}
