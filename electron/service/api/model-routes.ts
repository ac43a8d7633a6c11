/** Lists models and devices; changes imported models. */
import { Type } from 'typebox';
import {
  BlendModelBody,
  DeviceList,
  ModelCorrection,
  ModelList,
  ModelView,
  RemoveModelQuery,
} from '../../../packages/contract/src/models/model.ts';
import { clientGone, type Api, answers, IdParams, ref } from '../../../packages/http/src/index.ts';
import { blendOrder } from '../models/blend-models.ts';
import { removeModel, type ModelRemovalDeps } from '../models/remove-model.ts';
import type { AddedModelStore } from '../models/added-models.ts';
import type { EngineHost } from '../../engine/host/host.ts';
import type { ModelImporter } from '../models/import-model.ts';
import type { ModelCatalogue } from '../models/catalogue.ts';

export interface ModelDeps extends ModelRemovalDeps {
  models: ModelCatalogue;
  engine: Pick<EngineHost, 'speeds' | 'devices'>;
  addedModels: AddedModelStore;
  importer: Pick<ModelImporter, 'blend'>;
}

export function modelRoutes(app: Api, { models, settings, engine }: ModelDeps): void {
  app.get(
    '/api/models',
    {
      schema: {
        tags: ['models'],
        summary: 'List models',
        response: answers({ 200: ref(ModelList) }),
      },
    },
    () => ({ models: models.list(engine.speeds(), settings.get()) }),
  );
  app.get(
    '/api/devices',
    {
      schema: {
        tags: ['models'],
        summary: 'List devices, and why one is not used',
        response: answers({ 200: ref(DeviceList) }),
      },
    },
    async () => {
      const { devices, graphicsCards = [] } = await engine.devices();
      return { devices, graphicsCards };
    },
  );
}

/** Routes that correct, blend and delete imported models. */
export function addedModelRoutes(app: Api, deps: ModelDeps): void {
  const { models, engine, settings, addedModels } = deps;
  app.patch(
    '/api/models/:id',
    {
      schema: {
        tags: ['models'],
        summary: 'Correct the description of an imported model',
        params: IdParams,
        body: ref(ModelCorrection),
        response: answers({ 200: ref(ModelView) }, 'NOT_FOUND'),
      },
    },
    async (request) => {
      const model = await addedModels.correct(request.params.id, request.body);
      return models.view(model, engine.speeds(), settings.get());
    },
  );
  app.post(
    '/api/models/:id/blend',
    {
      schema: {
        tags: ['models'],
        summary: 'Blend two imported models of equal structure into a third',
        description:
          'For example a network and its variant with weaker cleaning, to set the strength in between.',
        params: IdParams,
        body: ref(BlendModelBody),
        response: answers({ 200: ref(ModelView) }, 'NOT_FOUND', 'MODEL_REFUSED'),
      },
    },
    async (request, reply) => {
      const signal = clientGone(reply);
      const { files, blend, about } = blendOrder(addedModels, request.params.id, request.body);
      const model = await deps.importer.blend(files, blend, about, signal);
      return models.view(model, engine.speeds(), settings.get());
    },
  );
  app.delete(
    '/api/models/:id',
    {
      schema: {
        tags: ['models'],
        summary: 'Remove an imported model and its files',
        description: 'CONFLICT while tasks wait for it or a preset uses it, unless forced.',
        params: IdParams,
        querystring: RemoveModelQuery,
        response: answers({ 204: Type.Null() }, 'NOT_FOUND', 'CONFLICT'),
      },
    },
    async (request, reply) => {
      await removeModel(deps, request.params.id, request.query.force ?? false);
      return reply.code(204).send(null);
    },
  );
}
