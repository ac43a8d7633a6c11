/** Routes of settings, granted folders, allowed origins and the machine's power and activity. */
import { Type } from 'typebox';
import {
  GrantBody,
  GrantQuery,
  Grants,
  OriginBody,
  OriginQuery,
  Origins,
  Settings,
  SettingsPatch,
  PowerAndActivity,
} from '../../../packages/contract/src/settings/settings.ts';
import { type Api, answers, ref } from '../../../packages/http/src/index.ts';
import { assertModel } from '../planning/task-options.ts';
import type { LiveSettings } from '../settings/live-settings.ts';
import type { ModelCatalogue } from '../models/catalogue.ts';
import type { PowerAndActivityStore } from '../settings/power-and-activity.ts';

export interface SettingsDeps {
  settings: LiveSettings;
  models: Pick<ModelCatalogue, 'models'>;
  powerAndActivity: Pick<PowerAndActivityStore, 'update'>;
}

const config = { administers: true };

export function settingsRoutes(app: Api, { settings, models }: SettingsDeps): void {
  app.get(
    '/api/settings',
    {
      config,
      schema: {
        tags: ['settings'],
        summary: 'Get all settings',
        response: answers({ 200: ref(Settings) }),
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
        response: answers({ 200: ref(Settings) }, 'STORAGE_FULL'),
      },
    },
    ({ body }) => {
      const { defaultUpscaler, defaultRemover, defaultSelector = '' } = body;
      if (defaultUpscaler !== undefined)
        assertModel('defaultUpscaler', defaultUpscaler, 'upscale', models.models);
      if (defaultRemover !== undefined)
        assertModel('defaultRemover', defaultRemover, 'remove-bg', models.models);
      if (defaultSelector !== '')
        assertModel('defaultSelector', defaultSelector, 'select', models.models);
      return settings.patch(body);
    },
  );
}

export function grantRoutes(app: Api, { settings }: Pick<SettingsDeps, 'settings'>): void {
  app.post(
    '/api/grants',
    {
      config,
      schema: {
        tags: ['settings'],
        summary: 'Grant additional folders',
        description:
          'Several programs may do so at the same moment: none loses what another granted.',
        body: ref(GrantBody),
        response: answers({ 200: ref(Grants) }, 'STORAGE_FULL'),
      },
    },
    async ({ body }) => ({ grantedFolders: await settings.add('grantedFolders', body.folders) }),
  );
  app.delete(
    '/api/grants',
    {
      config,
      schema: {
        tags: ['settings'],
        summary: 'Revoke the grant of one folder',
        description:
          'One that is not granted is none any more. What the service was started with stays until it ends.',
        querystring: GrantQuery,
        response: answers({ 200: ref(Grants) }, 'STORAGE_FULL'),
      },
    },
    ({ query }) => ({ grantedFolders: settings.remove('grantedFolders', query.folder) }),
  );
}

export function originRoutes(app: Api, { settings }: Pick<SettingsDeps, 'settings'>): void {
  app.post(
    '/api/origins',
    {
      config,
      schema: {
        tags: ['settings'],
        summary: 'Allow additional web origins to call the API',
        description: 'Several programs may do so concurrently, as with grants.',
        body: ref(OriginBody),
        response: answers({ 200: ref(Origins) }, 'STORAGE_FULL'),
      },
    },
    async ({ body }) => ({ allowedOrigins: await settings.add('allowedOrigins', body.origins) }),
  );
  app.delete(
    '/api/origins',
    {
      config,
      schema: {
        tags: ['settings'],
        summary: 'Revoke the permission of one web origin',
        querystring: OriginQuery,
        response: answers({ 200: ref(Origins) }, 'STORAGE_FULL'),
      },
    },
    ({ query }) => ({ allowedOrigins: settings.remove('allowedOrigins', query.origin) }),
  );
}

export function powerAndActivityRoutes(
  app: Api,
  { powerAndActivity }: Pick<SettingsDeps, 'powerAndActivity'>,
): void {
  app.put(
    '/api/surroundings',
    {
      config,
      schema: {
        tags: ['settings'],
        summary: 'Report battery power and user activity, which leaveRoom depends on',
        description: 'Valid for two minutes unless repeated.',
        body: ref(PowerAndActivity),
        response: answers({ 204: Type.Null() }),
      },
    },
    ({ body }, reply) => {
      powerAndActivity.update(body);
      return reply.code(204).send(null);
    },
  );
}
