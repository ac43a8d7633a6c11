/** Makes the calls that list models and devices, fetch what they need, and add files of them. */
import type {
  BlendModelBody,
  ModelCorrection,
  ModelList,
  ModelView,
  DeviceList,
} from '../contract/models/model.ts';
import type {
  ObtainableCatalogue,
  Download,
  DownloadList,
  DeviceFilesList,
} from '../contract/models/obtainable.ts';
import type { NamedBlob } from './task-calls.ts';
import { pathSegment, type Transport } from './transport.ts';

/** A person gives these words with the files of a model. */
export type ModelWords = Partial<Record<'name' | 'licence' | 'author', string>>;

const routeOf = (modelId: string) => `/api/models/${pathSegment(modelId)}`;

export function createModelCalls(transport: Transport) {
  const { request, get, send, ask } = transport;
  return {
    models: () => get<ModelList>('/api/models'),
    obtainable: () => get<ObtainableCatalogue>('/api/models/obtainable'),
    modelDownloads: createDownloadCalls(transport, '/api/models'),
    /** Resolves when the service has tried the network out. */
    async addModel(files: NamedBlob[], about: ModelWords, signal: AbortSignal): Promise<ModelView> {
      const body = new FormData();
      for (const [field, word] of Object.entries(about)) body.set(field, word);
      for (const { blob, name } of files) body.append('file', blob, name);
      return (await (await request('POST', '/api/models', { body, signal })).json()) as ModelView;
    },
    removeModel: (modelId: string, force: boolean) =>
      send('DELETE', `${routeOf(modelId)}${force ? '?force=true' : ''}`),
    /** Makes a third model between two; `share` is the part of the second one, 0 to 1. */
    blendModels: (modelId: string, body: BlendModelBody) =>
      ask<ModelView>('POST', `${routeOf(modelId)}/blend`, body),
    correctModel: (modelId: string, correction: ModelCorrection) =>
      ask<ModelView>('PATCH', routeOf(modelId), correction),
  };
}

/** These calls are about downloads of one kind: of models, or of the files of devices. */
export type DownloadCalls = ReturnType<typeof createDownloadCalls>;

/** @param base is the route of the kind, such as /api/models */
function createDownloadCalls({ request, get, send, ask }: Transport, base: string) {
  const routeOf = (id: string) => `${base}/${pathSegment(id)}/download`;
  return {
    /** Lists all downloads that were begun since the service started. */
    list: async () => (await get<DownloadList>(`${base}/downloads`)).downloads,
    start: (id: string) => ask<Download>('POST', routeOf(id)),
    get: (id: string) => get<Download>(routeOf(id)),
    /** Opens the stream of one download, from its present state to its end. */
    events: (id: string, signal?: AbortSignal) =>
      request('GET', `${routeOf(id)}/sse`, signal && { signal }),
    cancel: (id: string) => send('DELETE', routeOf(id)),
  };
}

const filesOf = (id: string) => `/api/devices/${pathSegment(id)}/files`;

export function createDeviceCalls(transport: Transport) {
  const { request, get, send } = transport;
  return {
    devices: () => get<DeviceList>('/api/devices'),
    deviceFiles: () => get<DeviceFilesList>('/api/devices/obtainable'),
    deviceDownloads: createDownloadCalls(transport, '/api/devices'),
    /** Installs the files from their archive, which must be as its publisher has it. */
    async addDeviceFiles(id: string, archive: Blob, signal: AbortSignal): Promise<DeviceFilesList> {
      const headers = { 'content-type': 'application/octet-stream' };
      const answer = await request('PUT', filesOf(id), { body: archive, headers, signal });
      return (await answer.json()) as DeviceFilesList;
    },
    removeDeviceFiles: (id: string) => send('DELETE', filesOf(id)),
  };
}
