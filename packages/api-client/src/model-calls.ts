/** Calls for models and devices: list, download, add files. */
import { createParser } from 'eventsource-parser';
import type {
  BlendModelBody,
  ModelCorrection,
  ModelList,
  ModelView,
  DeviceList,
} from '../../contract/src/models/model.ts';
import type {
  ObtainableCatalogue,
  Download,
  DownloadList,
  DeviceFilesList,
  RecommendedModels,
} from '../../contract/src/models/obtainable.ts';
import { formBlob } from './form-blob.ts';
import type { NamedBlob } from './task-calls.ts';
import type { ErrorBody } from '../../contract/src/common.ts';
import type {
  ImportProgress,
  OnImportProgress,
} from '../../contract/src/models/import-progress.ts';
import { readAll } from './read-all.ts';
import { ApiError, offline, pathSegment, type FetchAnswer, type Transport } from './transport.ts';

/** Texts that a person gives with a model's files. */
export type ModelTexts = Partial<Record<'name' | 'licence' | 'author', string>>;

const routeOf = (modelId: string) => `/api/models/${pathSegment(modelId)}`;

export function createModelCalls(transport: Transport) {
  const { request, get, send, ask } = transport;
  return {
    models: () => get<ModelList>('/api/models'),
    obtainable: () => get<ObtainableCatalogue>('/api/models/obtainable'),
    recommended: () => get<RecommendedModels>('/api/models/recommended'),
    /** Starts the downloads of recommended models that are not installed. */
    fetchRecommended: () => ask<DownloadList>('POST', '/api/models/recommended/download'),
    modelDownloads: createDownloadCalls(transport, '/api/models'),
    /** Resolves when the service has tested the network. @throws ApiError */
    async addModel(
      files: NamedBlob[],
      about: ModelTexts,
      signal: AbortSignal,
      onProgress: OnImportProgress = () => undefined,
    ): Promise<ModelView> {
      const body = formBlob(about, files);
      const headers = { accept: 'text/event-stream' };
      const response = await request('POST', '/api/models', { body, headers, signal });
      return importedModel(response, onProgress, signal);
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

/** Reads the events of an import up to its outcome. */
async function importedModel(
  response: FetchAnswer,
  onProgress: OnImportProgress,
  signal: AbortSignal,
): Promise<ModelView> {
  let model: ModelView | undefined;
  let failure: ErrorBody | undefined;
  const parser = createParser({
    onEvent({ event, data }) {
      if (event === 'progress') onProgress(JSON.parse(data) as ImportProgress);
      else if (event === 'error') failure = JSON.parse(data) as ErrorBody;
      else model = JSON.parse(data) as ModelView;
    },
  });
  try {
    await readAll(response, (text) => parser.feed(text));
  } catch (cause) {
    signal.throwIfAborted();
    throw offline(cause);
  }
  if (failure) throw new ApiError(failure.code, failure.message, failure);
  if (!model) throw offline(new Error('The stream of an import ended without its outcome.'));
  return model;
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
