/**
 * Keys of programs: create, list, revoke. For programs that found this service running: session keys and page
 * links. Exchange of a link's token for a session key.
 */
import { Type } from 'typebox';
import {
  KeyBody,
  KeyCreated,
  KeyList,
  PageLink,
  SessionBody,
  SessionKey,
} from '../../../packages/contract/src/settings/settings.ts';
import { EnlargerError } from '../../../packages/contract/src/errors.ts';
import {
  type Api,
  answers,
  ref,
  type Keyring,
  type OpenRequests,
} from '../../../packages/http/src/index.ts';
import type { ServiceClock } from '../timing/clock.ts';
import type { Store } from '../store/store.ts';

export interface KeyDeps {
  keys: Pick<Store['keys'], 'list' | 'create' | 'revoke'>;
  clock: Pick<ServiceClock, 'wallMs'>;
  openRequests: Pick<OpenRequests, 'endAllOf'>;
  keyring: Pick<Keyring, 'exchange' | 'newSessionKey' | 'newPageToken'>;
}

const config = { administers: true };

export function keyRoutes(app: Api, { keys, clock, openRequests }: KeyDeps): void {
  app.get(
    '/api/keys',
    {
      config,
      schema: {
        tags: ['keys'],
        summary: 'List keys, without their secret part',
        response: answers({ 200: ref(KeyList) }),
      },
    },
    () => ({ keys: keys.list().map(keyView) }),
  );
  app.post(
    '/api/keys',
    {
      config,
      schema: {
        tags: ['keys'],
        summary: 'Create a key; only this response contains it',
        body: ref(KeyBody),
        response: answers({ 200: ref(KeyCreated) }, 'STORAGE_FULL'),
      },
    },
    ({ body: { name, ...options } }) => keys.create(name, clock.wallMs(), options),
  );
  app.delete(
    '/api/keys/:id',
    {
      config,
      schema: {
        tags: ['keys'],
        summary: 'Revoke a key',
        params: Type.Object({ id: Type.String() }),
        response: answers({ 204: Type.Null() }, 'NOT_FOUND', 'STORAGE_FULL'),
      },
    },
    (request, reply) => {
      if (!keys.revoke(request.params.id))
        throw new EnlargerError('NOT_FOUND', 'There is no key with this id.');
      openRequests.endAllOf(request.params.id);
      return reply.code(204).send(null);
    },
  );
}

function keyView({
  id,
  name,
  createdAt,
  lastUsedAt,
  localCallbacks,
}: ReturnType<KeyDeps['keys']['list']>[number]) {
  return {
    id,
    name,
    createdAt: new Date(createdAt).toISOString(),
    ...(lastUsedAt !== undefined && { lastUsedAt: new Date(lastUsedAt).toISOString() }),
    ...(localCallbacks && { localCallbacks }),
  };
}

export function sessionRoutes(app: Api, { keyring }: KeyDeps): void {
  app.post(
    '/api/session',
    {
      config: { open: true },
      schema: {
        tags: ['keys'],
        summary: "Exchange the one-time token of the page's link for a session key",
        body: ref(SessionBody),
        response: answers({ 200: ref(SessionKey) }, 'UNAUTHORIZED'),
      },
    },
    (request) => {
      const session = keyring.exchange(request.body.token);
      if (session !== undefined) return session;
      throw new EnlargerError(
        'UNAUTHORIZED',
        'This link was used already or is of a former start. Open the page from Enlarger again.',
      );
    },
  );

  app.post(
    '/api/sessions',
    {
      config,
      schema: {
        tags: ['keys'],
        summary: 'Create a session key for a page, valid while the service runs',
        response: answers({ 200: ref(SessionKey) }),
      },
    },
    () => ({ key: keyring.newSessionKey() }),
  );

  app.post(
    '/api/page-links',
    {
      config,
      schema: {
        tags: ['keys'],
        summary: 'Create a one-time link to the page',
        response: answers({ 200: ref(PageLink) }),
      },
    },
    ({ host }) => ({ pageUrl: `http://${host}/#token=${keyring.newPageToken()}` }),
  );
}
