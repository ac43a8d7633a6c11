/** The downloads of one kind of thing: of models, or of files of devices. */
import type { Download, DownloadList } from '../contract/obtainable.ts';
import type { Transport } from './transport.ts';

export type DownloadCalls = ReturnType<typeof createDownloadCalls>;

/** @param base as in /api/models */
export function createDownloadCalls({ get, send, ask }: Transport, base: string) {
  const routeOf = (id: string) => `${base}/${encodeURIComponent(id)}/download`;
  return {
    /** All that were begun since the service started. */
    list: async () => (await get<DownloadList>(`${base}/downloads`)).downloads,
    start: (id: string) => ask<Download>('POST', routeOf(id)),
    get: (id: string) => get<Download>(routeOf(id)),
    cancel: (id: string) => send('DELETE', routeOf(id)),
  };
}
