/** What models can be had, and their downloads. Nothing is fetched unless it is asked for here. */
import { DownloadList, ObtainableCatalogue } from '../../../contract/obtainable.ts';
import type { Api, ApiDeps } from '../../http/deps.ts';
import type { OpenStreams } from '../../http/open-streams.ts';
import { answers, ref } from '../../http/schemas.ts';
import { downloadRoutes } from './download-routes.ts';

export function obtainRoutes(app: Api, { downloads }: ApiDeps, streams: OpenStreams): void {
  app.get(
    '/api/models/obtainable',
    {
      schema: {
        tags: ['models'],
        summary: 'Models that can be had: host, size, hash and licence, before anything is fetched',
        response: answers({ 200: ref(ObtainableCatalogue) }),
      },
    },
    () => ({ models: [...downloads.things] }),
  );
  app.get(
    '/api/models/downloads',
    {
      schema: {
        tags: ['models'],
        summary: 'The downloads that were begun since the service started',
        response: answers({ 200: ref(DownloadList) }),
      },
    },
    () => ({ downloads: downloads.list() }),
  );
  const summary = 'Fetch and add a model; two requests share one download';
  downloadRoutes(app, { base: '/api/models', tag: 'models', summary, downloads }, streams);
}
