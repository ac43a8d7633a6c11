/** Routes of watched folders. */
import { Type } from 'typebox';
import {
  Watch,
  WatchBody,
  WatchList,
  WatchPatch,
} from '../../../packages/contract/src/settings/watch.ts';
import { type Api, answers, assertMayGrant, ref } from '../../../packages/http/src/index.ts';
import type { Watches } from '../watches/watches.ts';

export interface WatchDeps {
  watches: Pick<Watches, 'list' | 'create' | 'change' | 'remove'>;
}

const tags = ['watches'];
const WatchParams = Type.Object({ id: Type.String() });
const changed = answers({ 200: ref(Watch) }, 'FORBIDDEN_PATH', 'FORBIDDEN_KEY', 'STORAGE_FULL');

export function watchRoutes(app: Api, { watches }: WatchDeps): void {
  app.get(
    '/api/watches',
    {
      schema: { tags, summary: 'List watched folders', response: answers({ 200: ref(WatchList) }) },
    },
    () => ({ watches: watches.list() }),
  );
  app.post(
    '/api/watches',
    {
      schema: {
        tags,
        summary: 'Watch a folder and process new pictures with a preset',
        description:
          'Results are saved in saveTo, in the same subfolders. Half-written files are waited for.',
        body: ref(WatchBody),
        response: changed,
      },
    },
    (request) => {
      assertMayGrant(request, request.body);
      return watches.create(request.body);
    },
  );
  app.patch(
    '/api/watches/:id',
    {
      schema: {
        tags,
        summary: 'Change a watched folder, or switch it off and on',
        params: WatchParams,
        body: ref(WatchPatch),
        response: answers(changed, 'NOT_FOUND'),
      },
    },
    (request) => {
      assertMayGrant(request, request.body);
      return watches.change(request.params.id, request.body);
    },
  );
  app.delete(
    '/api/watches/:id',
    {
      schema: {
        tags,
        summary: 'Stop watching a folder; its tasks stay',
        params: WatchParams,
        response: answers({ 204: Type.Null() }, 'NOT_FOUND', 'STORAGE_FULL'),
      },
    },
    async (request, reply) => {
      await watches.remove(request.params.id);
      return reply.code(204).send(null);
    },
  );
}
