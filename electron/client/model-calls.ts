/** Models: those that are there, those that can be fetched, and files that are added. */
import type { BlendModelBody, ModelCorrection, ModelList, ModelView } from '../contract/model.ts';
import type { ObtainableCatalogue } from '../contract/obtainable.ts';
import { createDownloadCalls } from './download-calls.ts';
import type { NamedBlob } from './task-calls.ts';
import type { Transport } from './transport.ts';

/** What a person says of a model beside its files. */
export type ModelWords = Partial<Record<'name' | 'licence' | 'author', string>>;

const routeOf = (modelId: string) => `/api/models/${encodeURIComponent(modelId)}`;

export function createModelCalls(transport: Transport) {
  const { request, get, send, ask } = transport;
  return {
    models: () => get<ModelList>('/api/models'),
    obtainable: () => get<ObtainableCatalogue>('/api/models/obtainable'),
    modelDownloads: createDownloadCalls(transport, '/api/models'),
    /** Answers when the network was tried out. */
    async addModel(files: NamedBlob[], about: ModelWords, signal: AbortSignal): Promise<ModelView> {
      const body = new FormData();
      for (const [field, word] of Object.entries(about)) body.set(field, word);
      for (const { blob, name } of files) body.append('file', blob, name);
      return (await (await request('POST', '/api/models', { body, signal })).json()) as ModelView;
    },
    removeModel: (modelId: string, force: boolean) =>
      send('DELETE', `${routeOf(modelId)}${force ? '?force=true' : ''}`),
    /** A third model between two: so much of the second, 0 to 1. */
    blendModels: (modelId: string, body: BlendModelBody) =>
      ask<ModelView>('POST', `${routeOf(modelId)}/blend`, body),
    correctModel: (modelId: string, correction: ModelCorrection) =>
      ask<ModelView>('PATCH', routeOf(modelId), correction),
  };
}
