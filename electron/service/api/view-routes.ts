/** Pictures of a task: source thumbnail, tiles of both sides, maps, metadata. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { EnlargerError } from '../../../packages/contract/src/errors.ts';
import {
  MaskBody,
  PictureSide,
  pictureSides,
  TileSet,
  metadataGroups,
  TaskMetadata,
} from '../../../packages/contract/src/picture.ts';
import {
  clientGone,
  type Api,
  sendFile,
  answers,
  pictureAnswer,
  ref,
} from '../../../packages/http/src/index.ts';
import { baseOf, presentTask } from './present.ts';
import { linkedTask, LinkQuery, tilesLink } from '../results/signed-link.ts';
import { TaskParams } from './one-task-routes.ts';
import type { DescribedPictures } from '../../engine/protocol/messages.ts';
import type { ServiceClock } from '../timing/clock.ts';
import type { Tasks } from '../tasks/tasks.ts';
import type { LiveMasks } from '../previews/live-masks.ts';
import { allStrokes } from '../planning/cutout-options.ts';
import type { Views } from '../previews/views.ts';

export interface PictureViewDeps {
  tasks: Pick<Tasks, 'get' | 'isExpired'>;
  views: Views;
  liveMasks: LiveMasks;
  linkSecret: Buffer;
  clock: Pick<ServiceClock, 'nowMs'>;
}

const linkAnswers = answers(
  { 200: pictureAnswer('The picture') },
  'FORBIDDEN_LINK',
  'NOT_FOUND',
  'TASK_NOT_FOUND',
  'RESULT_EXPIRED',
);

export function tileSetRoutes(app: Api, deps: PictureViewDeps): void {
  app.get(
    '/api/task/:taskId/tiles/:side',
    {
      schema: {
        tags: ['results'],
        summary: "Get the deep-zoom tile set of a task's source or result",
        description:
          'DZI levels: OpenSeadragon reads them. Cut at the first call where they are not yet.',
        params: Type.Object({ taskId: Type.String(), side: PictureSide }),
        response: answers(
          { 200: ref(TileSet) },
          'INVALID_REQUEST',
          'NOT_FOUND',
          'TASK_NOT_FOUND',
          'RESULT_EXPIRED',
        ),
      },
    },
    async (request): Promise<TileSet> => {
      const { taskId, side } = request.params;
      const task = presentTask(deps.tasks, taskId);
      const { width, height, tileSize, maxLevel, format } = await deps.views.tiles(task, side);
      const url = tilesLink(task, side, baseOf(request), deps);
      return { width, height, tileSize, overlap: 0, maxLevel, format, url };
    },
  );
}

export function viewLinkRoutes(app: Api, deps: PictureViewDeps): void {
  app.route({
    method: ['GET', 'HEAD'],
    url: '/api/results/:taskId/source-thumb.webp',
    config: { open: true },
    schema: {
      tags: ['results'],
      summary: "Get a thumbnail of a task's source by its signed link",
      params: Type.Object({ taskId: Type.String() }),
      querystring: LinkQuery,
      response: linkAnswers,
    },
    handler: async (request, reply) => {
      const { taskId } = request.params;
      const claim = { taskId, file: 'source-thumb', query: request.query } as const;
      const { task, maxAgeSeconds } = linkedTask(claim, deps);
      const path = await deps.views.sourceThumb(task);
      const etag = `${taskId}-source-thumb-${task.status}`;
      const name = 'source-thumb.webp';
      return sendFile(request, reply, { path, type: 'image/webp', name, etag, maxAgeSeconds });
    },
  });

  app.route({
    method: ['GET', 'HEAD'],
    url: '/api/results/:taskId/tiles/:side/:level/:tile',
    config: { open: true },
    schema: {
      tags: ['results'],
      summary: 'Get a deep-zoom tile by its signed link',
      params: Type.Object({
        taskId: Type.String(),
        side: Type.String(),
        level: Type.String(),
        tile: Type.String({ description: 'Column and row, such as 3_2.' }),
      }),
      querystring: LinkQuery,
      response: linkAnswers,
    },
    handler: async (request, reply) => {
      const { taskId, side, level, tile } = request.params;
      const known = pictureSides.find((one) => one === side) ?? 'result';
      const { task, maxAgeSeconds } = linkedTask(
        { taskId, file: `${known}-tiles`, query: request.query },
        deps,
      );
      const place = /^(\d{1,2})\/(\d{1,6})_(\d{1,6})$/.exec(`${level}/${tile}`);
      if (!place || known !== side) throw noTile();
      const [z = 0, column = 0, line = 0] = place.slice(1).map(Number);
      const tiles = await deps.views.tiles(task, known);
      const bytes = await tiles.read(z, column, line);
      if (!bytes) throw noTile();
      const etag = `"${tiles.version}-${z}-${column}_${line}"`;
      return sendTile(request, reply, bytes, {
        type: `image/${tiles.format}`,
        etag,
        maxAgeSeconds,
      });
    },
  });
}

const noTile = () => new EnlargerError('NOT_FOUND', 'There is no such tile.');

function sendTile(
  request: FastifyRequest,
  reply: FastifyReply,
  bytes: Buffer,
  { type, etag, maxAgeSeconds }: { type: string; etag: string; maxAgeSeconds: number },
): FastifyReply {
  void reply.headers({
    'content-type': type,
    'cache-control': `private, max-age=${maxAgeSeconds}`,
    etag,
  });
  if (request.headers['if-none-match'] === etag) return reply.code(304).send();
  return reply.header('content-length', bytes.length).send(bytes);
}

const png = pictureAnswer('The map', 'image/png');

/** Two maps: where the network changed a picture, and what it cut out. */
export function changesRoutes(app: Api, deps: PictureViewDeps): void {
  const { views } = deps;
  const addMap = (
    name: 'changes' | 'mask',
    texts: { summary: string; description: string },
  ): void => {
    app.get(
      `/api/task/:taskId/${name}`,
      {
        schema: {
          tags: ['results'],
          ...texts,
          params: TaskParams,
          response: answers({ 200: png }, 'NOT_FOUND', 'TASK_NOT_FOUND', 'RESULT_EXPIRED'),
        },
      },
      async (request, reply) => {
        const task = presentTask(deps.tasks, request.params.taskId);
        const map = await views[name](task);
        return reply.type('image/png').send(map);
      },
    );
  };
  addMap('changes', {
    summary: 'Get the map of differences between photo and enlargement',
    description:
      'A grey PNG in the proportions of the source, at most 1,024 pixels a side: a pixel is the largest difference there, in levels of 255, between the source and the result reduced to its size.',
  });
  addMap('mask', {
    summary: "Get a cut-out's mask over its photo",
    description:
      'A grey PNG in the proportions of the source, all of it, at most 1,024 pixels a side: white is the subject.',
  });
}

/** What strokes would make of a finished cut-out. */
export function liveMaskRoutes(app: Api, { tasks, liveMasks }: PictureViewDeps): void {
  app.post(
    '/api/task/:taskId/mask',
    {
      schema: {
        tags: ['results'],
        summary: 'What points and strokes would make of what a cut-out keeps',
        description:
          'Answers at once, and changes nothing: a grey PNG like that of GET. The points and strokes come after those of the task itself and choose things by its model, which must be one that takes clicks; what strokes paint by themselves is not in it. A submit with them finds the edge at full size.',
        params: TaskParams,
        body: ref(MaskBody),
        response: answers(
          { 200: png },
          'INVALID_REQUEST',
          'MODEL_UNAVAILABLE',
          'NOT_FOUND',
          'TASK_NOT_FOUND',
          'RESULT_EXPIRED',
        ),
      },
    },
    async (request, reply) => {
      const task = presentTask(tasks, request.params.taskId);
      const map = await liveMasks.correct(task, allStrokes(request.body), clientGone(reply));
      return reply.type('image/png').send(map);
    },
  );
}

/** Metadata of source and result, side by side. */
export function metadataRoutes(app: Api, deps: PictureViewDeps): void {
  app.get(
    '/api/task/:taskId/metadata',
    {
      schema: {
        tags: ['results'],
        summary: "Get the metadata of a task's source and result",
        description:
          'Names are those of EXIF, IPTC and XMP. Before the task ran, its source alone.',
        params: TaskParams,
        response: answers(
          { 200: ref(TaskMetadata) },
          'INVALID_REQUEST',
          'TASK_NOT_FOUND',
          'RESULT_EXPIRED',
        ),
      },
    },
    async (request) => {
      const task = presentTask(deps.tasks, request.params.taskId);
      return { fields: sideBySide(await deps.views.metadata(task)) };
    },
  );
}

type Fields = TaskMetadata['fields'];

/** Ordered by group, within a group as in the source; fields of the result alone follow. */
function sideBySide({ source, result }: DescribedPictures): Fields {
  const found = new Map<string, Fields[number]>();
  for (const [side, fields] of Object.entries({ source, result })) {
    for (const { group, name, value } of fields) {
      const key = `${group}\n${name}`;
      found.set(key, { ...(found.get(key) ?? { group, name }), [side]: value });
    }
  }
  const place = (field: Fields[number]) => metadataGroups.indexOf(field.group);
  return [...found.values()].toSorted((a, b) => place(a) - place(b));
}
