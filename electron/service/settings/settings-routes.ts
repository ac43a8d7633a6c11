/** Settings and keys, for the application's page and the command line; the page's session. */
import { Type } from 'typebox';
import {
  GrantBody,
  Grants,
  KeyBody,
  KeyCreated,
  KeyList,
  SessionBody,
  SessionKey,
  Settings,
  SettingsPatch,
  Surroundings,
} from '../../contract/admin.ts';
import { EnlargerError } from '../../contract/errors.ts';
import type { Api, ApiDeps } from '../http/deps.ts';
import { answers, ref } from '../http/schemas.ts';
import { assertModel } from '../planning/task-options.ts';

const config = { administers: true };

export function settingsRoutes(app: Api, { settings, models }: ApiDeps): void {
  app.get(
    '/api/settings',
    {
      config,
      schema: {
        tags: ['settings'],
        summary: 'Every setting as it holds now',
        response: answers({ 200: ref(Settings) }, 'FORBIDDEN_KEY'),
      },
    },
    () => settings.get(),
  );
  app.patch(
    '/api/settings',
    {
      config,
      schema: {
        tags: ['settings'],
        summary: 'Change some settings',
        body: ref(SettingsPatch),
        response: answers(
          { 200: ref(Settings) },
          'INVALID_REQUEST',
          'FORBIDDEN_KEY',
          'STORAGE_FULL',
        ),
      },
    },
    ({ body }) => {
      const { defaultUpscaler, defaultRemover } = body;
      if (defaultUpscaler !== undefined)
        assertModel('defaultUpscaler', defaultUpscaler, 'upscale', models.models);
      if (defaultRemover !== undefined)
        assertModel('defaultRemover', defaultRemover, 'remove-bg', models.models);
      return settings.patch(body);
    },
  );
}

export function grantRoutes(app: Api, { settings }: Pick<ApiDeps, 'settings'>): void {
  app.post(
    '/api/grants',
    {
      config,
      schema: {
        tags: ['settings'],
        summary: 'Grant folders beside those that are granted already',
        description:
          'Several programs may do so at the same moment: none loses what another granted.',
        body: ref(GrantBody),
        response: answers({ 200: ref(Grants) }, 'INVALID_REQUEST', 'FORBIDDEN_KEY', 'STORAGE_FULL'),
      },
    },
    async ({ body }) => ({ grantedFolders: await settings.grant(body.folders) }),
  );
}

export function surroundingsRoutes(
  app: Api,
  { surroundings }: Pick<ApiDeps, 'surroundings'>,
): void {
  app.put(
    '/api/surroundings',
    {
      config,
      schema: {
        tags: ['settings'],
        summary: 'Say what the setting leaveRoom goes by: battery, and where a person works',
        description: 'It holds for two minutes, unless it is said again.',
        body: ref(Surroundings),
        response: answers({ 204: Type.Null() }, 'INVALID_REQUEST', 'FORBIDDEN_KEY'),
      },
    },
    ({ body }, reply) => {
      surroundings.tell(body);
      return reply.code(204).send(null);
    },
  );
}

export function keyRoutes(app: Api, { keys, clock, openRequests }: ApiDeps): void {
  app.get(
    '/api/keys',
    {
      config,
      schema: {
        tags: ['keys'],
        summary: 'The keys that were made, without the keys themselves',
        response: answers({ 200: ref(KeyList) }, 'FORBIDDEN_KEY'),
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
        summary: 'Make a key; this answer is the only one that shows it',
        body: ref(KeyBody),
        response: answers(
          { 200: ref(KeyCreated) },
          'INVALID_REQUEST',
          'FORBIDDEN_KEY',
          'STORAGE_FULL',
        ),
      },
    },
    (request) => keys.create(request.body.name, clock.wallMs()),
  );
  app.delete(
    '/api/keys/:id',
    {
      config,
      schema: {
        tags: ['keys'],
        summary: 'Revoke a key',
        params: Type.Object({ id: Type.String() }),
        response: answers({ 204: Type.Null() }, 'FORBIDDEN_KEY', 'NOT_FOUND', 'STORAGE_FULL'),
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

function keyView({ id, name, createdAt, lastUsedAt }: ReturnType<ApiDeps['keys']['list']>[number]) {
  return {
    id,
    name,
    createdAt: new Date(createdAt).toISOString(),
    ...(lastUsedAt !== undefined && { lastUsedAt: new Date(lastUsedAt).toISOString() }),
  };
}

export function sessionRoutes(app: Api, { keyring }: ApiDeps): void {
  app.post(
    '/api/session',
    {
      config: { open: true },
      schema: {
        tags: ['keys'],
        summary: "Exchange the one-time token of the page's link for a session key",
        body: ref(SessionBody),
        response: answers({ 200: ref(SessionKey) }, 'INVALID_REQUEST', 'UNAUTHORIZED'),
      },
    },
    (request) => {
      const key = keyring.exchange(request.body.token);
      if (key !== undefined) return { key };
      throw new EnlargerError(
        'UNAUTHORIZED',
        'This link was used already or is of a former start. Open the page from Enlarger again.',
      );
    },
  );
}
