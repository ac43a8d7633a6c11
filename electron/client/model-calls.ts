/** Models: those that are there, those that can be fetched, and files that are added. */
import type {
  BlendModelBody,
  DeviceList,
  ModelCorrection,
  ModelList,
  ModelView,
} from '../contract/model.ts';
import type { Download, DownloadList, ObtainableCatalogue } from '../contract/obtainable.ts';
import type { NamedBlob } from './task-calls.ts';
import type { Transport } from './transport.ts';

/** What a person says of a model beside its files. */
export type ModelWords = Partial<Record<'name' | 'licence' | 'author', string>>;

const routeOf = (modelId: string) => `/api/models/${encodeURIComponent(modelId)}`;

export function createModelCalls({ request, get, send, ask }: Transport) {
  return {
    models: () => get<ModelList>('/api/models'),
    devices: () => get<DeviceList>('/api/devices'),
    obtainable: () => get<ObtainableCatalogue>('/api/models/obtainable'),
    /** All that were begun since the service started. */
    downloads: async () => (await get<DownloadList>('/api/models/downloads')).downloads,
    startDownload: (modelId: string) => ask<Download>('POST', `${routeOf(modelId)}/download`),
    downloadOf: (modelId: string) => get<Download>(`${routeOf(modelId)}/download`),
    cancelDownload: (modelId: string) => send('DELETE', `${routeOf(modelId)}/download`),
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
