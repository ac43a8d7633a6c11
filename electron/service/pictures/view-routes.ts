/** Looking at a task's pictures: the source's thumbnail, and both sides in tiles. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { EnlargerError } from '../../contract/errors.ts';
import { PictureSide, pictureSides, TileSet } from '../../contract/picture.ts';
import type { Api, ApiDeps } from '../http/deps.ts';
import { sendFile } from '../http/file-answer.ts';
import { answers, ref } from '../http/schemas.ts';
import { baseOf, presentTask } from '../tasks/present-task.ts';
import { linkedTask, tilesLink } from './view-links.ts';

const LinkQuery = Type.Object({
  expires: Type.Optional(Type.String()),
  signature: Type.Optional(Type.String({ description: 'Hex, as the link has it.' })),
});
const picture = {
  description: 'The picture',
  content: { 'image/*': { schema: Type.String({ format: 'binary' }) } },
};
const linkAnswers = answers(
  { 200: picture },
  'FORBIDDEN_LINK',
  'NOT_FOUND',
  'TASK_NOT_FOUND',
  'RESULT_EXPIRED',
);

export function tileSetRoutes(app: Api, deps: ApiDeps): void {
  app.get(
    '/api/task/:taskId/tiles/:side',
    {
      schema: {
        tags: ['results'],
        summary: "A task's source or result in tiles, for deep zoom",
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

export function viewLinkRoutes(app: Api, deps: ApiDeps): void {
  app.route({
    method: ['GET', 'HEAD'],
    url: '/api/results/:taskId/source-thumb.webp',
    config: { open: true },
    schema: {
      tags: ['results'],
      summary: "A thumbnail of a task's source, by the link that the task's record has",
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
      summary: 'A tile, by the link that a set of tiles has',
      params: Type.Object({
        taskId: Type.String(),
        side: Type.String(),
        level: Type.String(),
        tile: Type.String({ description: 'Column and row: 3_2.' }),
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
