/** What can run, and on what. */
import { DeviceList, ModelList } from '../../contract/model.ts';
import type { Api, ApiDeps } from '../http/deps.ts';
import { answers, ref } from '../http/schemas.ts';

export function modelRoutes(app: Api, { models, speeds, settings, engine }: ApiDeps): void {
  app.get(
    '/api/models',
    {
      schema: {
        tags: ['models'],
        summary: 'The networks that can run',
        response: answers({ 200: ref(ModelList) }),
      },
    },
    () => ({ models: models.list(speeds.list(), settings.get()) }),
  );
  app.get(
    '/api/devices',
    {
      schema: {
        tags: ['models'],
        summary: 'The devices that networks run on, and why one is left',
        response: answers({ 200: ref(DeviceList) }),
      },
    },
    async () => ({ devices: (await engine.devices()).devices }),
  );
}
