/** Calls for models and devices: list, download, add files. */
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
import { formBlob } from './form-blob.ts';
import type { NamedBlob } from './task-calls.ts';
import { pathSegment, type Transport } from './transport.ts';

/** Texts that a person gives with a model's files. */
export type ModelTexts = Partial<Record<'name' | 'licence' | 'author', string>>;

const routeOf = (modelId: string) => `/api/models/${pathSegment(modelId)}`;

export function createModelCalls(transport: Transport) {
  const { request, get, send, ask } = transport;
  return {
    models: () => get<ModelList>('/api/models'),
    obtainable: () => get<ObtainableCatalogue>('/api/models/obtainable'),
    modelDownloads: createDownloadCalls(transport, '/api/models'),
    /** Resolves when the service has tested the network. */
    async addModel(files: NamedBlob[], about: ModelTexts, signal: AbortSignal): Promise<ModelView> {
      const body = formBlob(about, files);
      return (await (await request('POST', '/api/models', { body, signal })).json()) as ModelView;
    },
    removeModel: (modelId: string, force: boolean) =>
      send('DELETE', `${routeOf(modelId)}${force ? '?force=true' : ''}`),
    /** Blends two models into a third. `share` of the second one, 0..1 */
    blendModels: (modelId: string, body: BlendModelBody) =>
      ask<ModelView>('POST', `${routeOf(modelId)}/blend`, body),
    correctModel: (modelId: string, correction: ModelCorrection) =>
      ask<ModelView>('PATCH', routeOf(modelId), correction),
  };
}

/** Downloads of one kind: models, or files of devices. */
export type DownloadCalls = ReturnType<typeof createDownloadCalls>;

/** @param base path of the kind, e.g. /api/models */
function createDownloadCalls({ request, get, send, ask }: Transport, base: string) {
  const routeOf = (id: string) => `${base}/${pathSegment(id)}/download`;
  return {
    /** All downloads since the service started. */
    list: async () => (await get<DownloadList>(`${base}/downloads`)).downloads,
    start: (id: string) => ask<Download>('POST', routeOf(id)),
    get: (id: string) => get<Download>(routeOf(id)),
    /** Event stream of one download, from its present state to its end. */
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
    /** Installs from the publisher's unchanged archive. */
    async addDeviceFiles(id: string, archive: Blob, signal: AbortSignal): Promise<DeviceFilesList> {
      const headers = { 'content-type': 'application/octet-stream' };
      const answer = await request('PUT', filesOf(id), { body: archive, headers, signal });
      return (await answer.json()) as DeviceFilesList;
    },
    removeDeviceFiles: (id: string) => send('DELETE', filesOf(id)),
  };
}
