/** Routes that start, show, follow and cancel downloads of one kind. */
import { Type } from 'typebox';
import { EnlargerError } from '../../../packages/contract/src/errors.ts';
import {
  Download,
  DownloadList,
  ObtainableCatalogue,
  RecommendedModels,
  type ObtainableModel,
} from '../../../packages/contract/src/models/obtainable.ts';
import { hasEnded } from '../../../packages/contract/src/models/downloads.ts';
import {
  type Api,
  eventText,
  type OpenStreams,
  answers,
  IdParams,
  ref,
  streamAnswer,
} from '../../../packages/http/src/index.ts';
import type { Downloads } from '../models/obtain/downloads.ts';
import type { RecommendedSet } from '../models/obtain/recommended.ts';

export interface ObtainDeps {
  downloads: Downloads<ObtainableModel>;
  recommended: RecommendedSet;
}

interface DownloadRoutes {
  /** Path prefix, e.g. /api/models. */
  base: string;
  /** Summary of the POST route in the documentation. */
  summary: string;
  downloads: Downloads;
}

const tags = ['models'];

export function downloadRoutes(
  app: Api,
  { base, summary, downloads }: DownloadRoutes,
  streams: OpenStreams,
): void {
  app.get(
    `${base}/downloads`,
    {
      schema: {
        tags,
        summary: 'List downloads since the service started',
        response: answers({ 200: ref(DownloadList) }),
      },
    },
    () => ({ downloads: downloads.list() }),
  );
  app.post(
    `${base}/:id/download`,
    {
      schema: {
        tags,
        summary,
        params: IdParams,
        response: answers({ 202: ref(Download) }, 'NOT_FOUND'),
      },
    },
    (request, reply) => reply.code(202).send(downloads.start(request.params.id)),
  );
  app.get(
    `${base}/:id/download`,
    {
      schema: {
        tags,
        summary: 'Get a download and its progress',
        params: IdParams,
        response: answers({ 200: ref(Download) }, 'NOT_FOUND'),
      },
    },
    (request) => begun(downloads.get(request.params.id), request.params.id),
  );
  app.get(
    `${base}/:id/download/sse`,
    {
      exposeHeadRoute: false,
      schema: {
        tags,
        summary: "Stream a download's events until it ends",
        params: IdParams,
        response: answers(
          { 200: streamAnswer(Download, 'Server-sent events; the data of each is this JSON.') },
          'NOT_FOUND',
        ),
      },
    },
    (request, reply) => {
      const { id } = request.params;
      const now = begun(downloads.get(id), id);
      let unsubscribe = () => {};
      const open = streams.open(reply, () => unsubscribe());
      const send = (download: Download) => {
        open.send({ text: eventText(download), about: id, isProgress: !hasEnded(download) });
        if (hasEnded(download)) open.end();
      };
      unsubscribe = downloads.subscribe(id, send);
      send(now);
    },
  );
  app.delete(
    `${base}/:id/download`,
    {
      schema: {
        tags,
        summary: 'Cancel a download; the part received is kept for the next attempt',
        params: IdParams,
        response: answers({ 204: Type.Null() }),
      },
    },
    (request, reply) => {
      downloads.cancel(request.params.id);
      return reply.code(204).send(null);
    },
  );
}

function begun(download: Download | undefined, id: string): Download {
  if (download) return download;
  throw new EnlargerError('NOT_FOUND', `No download of ${id} was begun.`);
}

/** Routes of downloadable models. Downloads start on request only. */
export function obtainRoutes(
  app: Api,
  { downloads, recommended }: ObtainDeps,
  streams: OpenStreams,
): void {
  app.get(
    '/api/models/obtainable',
    {
      schema: {
        tags,
        summary: 'List models that can be downloaded, with host, size, hash and licence',
        response: answers({ 200: ref(ObtainableCatalogue) }),
      },
    },
    () => ({ models: [...downloads.things] }),
  );
  app.get(
    '/api/models/recommended',
    {
      schema: {
        tags,
        summary: 'List the models that are recommended for this machine',
        response: answers({ 200: ref(RecommendedModels) }),
      },
    },
    () => recommended.view(),
  );
  app.post(
    '/api/models/recommended/download',
    {
      schema: {
        tags,
        summary: 'Fetch and add the recommended models that are not installed',
        description:
          'Each is a download of its own. A model with mayBeDefault is measured afterwards and becomes the default of its task if it is fast enough here.',
        response: answers({ 202: ref(DownloadList) }),
      },
    },
    async (_request, reply) => reply.code(202).send({ downloads: await recommended.fetch() }),
  );
  const summary = 'Fetch and add a model; two requests share one download';
  downloadRoutes(app, { base: '/api/models', summary, downloads }, streams);
}
