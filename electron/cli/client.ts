/** The service's API as the command line needs it: every call names what it sends and what it gets. */
import { createParser } from 'eventsource-parser';
import { openAsBlob } from 'node:fs';
import path from 'node:path';
import type { ErrorBody } from '../contract/common.ts';
import type { ModelCorrection, ModelList, ModelView } from '../contract/model.ts';
import type { Download, ObtainableCatalogue } from '../contract/obtainable.ts';
import type {
  Grants,
  PageLink,
  QueueState,
  SessionKey,
  Settings,
  SettingsPatch,
  Uploaded,
} from '../contract/admin.ts';
import type { RemoveBackgroundBody, Submitted, UpscaleBody } from '../contract/submit.ts';
import type { Estimate, TaskChange, TaskList, TaskRecord, TaskView } from '../contract/task.ts';
import type { Preset, PresetBody, PresetList } from '../contract/preset.ts';
import type { Watch, WatchBody, WatchList, WatchPatch } from '../contract/watch.ts';

export interface Connection {
  url: string;
  key: string;
}

/** An answer that was not 2xx. `retryAfterSeconds` is there when the service said when to come again. */
export class RequestFailed extends Error {
  readonly statusCode: number;
  readonly code: string;
  readonly retryAfterSeconds: number | undefined;

  constructor(statusCode: number, body: Partial<ErrorBody>, retryAfter: string | null) {
    super(body.message ?? `The service answered ${statusCode}.`);
    this.statusCode = statusCode;
    this.code = body.code ?? 'UNKNOWN';
    this.retryAfterSeconds = retryAfter === null ? undefined : Number(retryAfter);
  }
}

/** What a person says of a model beside its files. */
export type ModelWords = Partial<Record<'name' | 'licence' | 'author', string>>;

/** What is asked for, with the fields that it takes. */
export type Submit =
  | { operation: 'upscale'; body: UpscaleBody }
  | { operation: 'remove-bg'; body: RemoveBackgroundBody };

const submitRoutes = { upscale: '/api/image-upscaler', 'remove-bg': '/api/remove-bg' } as const;

export type Client = ReturnType<typeof createClient>;

export function createClient({ url, key }: Connection) {
  async function request(route: string, init: RequestInit = {}): Promise<Response> {
    const headers = new Headers(init.headers);
    headers.set('authorization', `KEY ${key}`);
    const response = await fetch(new URL(route, url), { ...init, headers });
    if (!response.ok) throw await failureOf(response);
    return response;
  }
  async function answer<T>(route: string, init?: RequestInit): Promise<T> {
    return (await (await request(route, init)).json()) as T;
  }

  return {
    url,
    /** Streams the file; it is never in memory as a whole. */
    async upload(file: string, signal: AbortSignal): Promise<string> {
      const body = new FormData();
      body.set('file', await openAsBlob(file), path.basename(file));
      const { imageUrl } = await answer<Uploaded>('/api/uploads', { method: 'POST', body, signal });
      return imageUrl;
    },
    async submit(
      { operation, body }: Submit,
      idempotencyKey: string,
      signal: AbortSignal,
    ): Promise<string> {
      const { taskId } = await answer<Submitted>(submitRoutes[operation], {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'idempotency-key': idempotencyKey },
        body: JSON.stringify(body),
        signal,
      });
      return taskId;
    },
    /** What a submit would make. */
    estimate: ({ operation, body }: Submit, signal: AbortSignal) =>
      answer<Estimate>('/api/estimate', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ ...body, operation }),
        signal,
      }),
    task: (taskId: string, signal?: AbortSignal) =>
      answer<TaskView>(`/api/task/${taskId}`, { signal: signal ?? null }),
    record: (taskId: string) => answer<TaskRecord>(`/api/tasks/${taskId}`),
    list: (limit: number) => answer<TaskList>(`/api/tasks?limit=${limit}`),
    models: () => answer<ModelList>('/api/models'),
    obtainable: () => answer<ObtainableCatalogue>('/api/models/obtainable'),
    startDownload: (modelId: string) =>
      answer<Download>(`/api/models/${encodeURIComponent(modelId)}/download`, { method: 'POST' }),
    downloadOf: (modelId: string) =>
      answer<Download>(`/api/models/${encodeURIComponent(modelId)}/download`),
    async cancelDownload(modelId: string): Promise<void> {
      await request(`/api/models/${encodeURIComponent(modelId)}/download`, { method: 'DELETE' });
    },
    /** Streams the files; answers when the network was tried out. */
    async addModel(files: string[], about: ModelWords, signal: AbortSignal): Promise<ModelView> {
      const body = new FormData();
      for (const [field, word] of Object.entries(about)) body.set(field, word);
      for (const file of files) body.append('file', await openAsBlob(file), path.basename(file));
      return answer<ModelView>('/api/models', { method: 'POST', body, signal });
    },
    async removeModel(modelId: string, force: boolean): Promise<void> {
      const query = force ? '?force=true' : '';
      await request(`/api/models/${encodeURIComponent(modelId)}${query}`, { method: 'DELETE' });
    },
    correctModel: (modelId: string, correction: ModelCorrection) =>
      answer<ModelView>(`/api/models/${encodeURIComponent(modelId)}`, {
        method: 'PATCH',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(correction),
      }),
    settings: () => answer<Settings>('/api/settings'),
    changeSettings: (patch: SettingsPatch) =>
      answer<Settings>('/api/settings', {
        method: 'PATCH',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(patch),
      }),
    /** Beside what is granted already. */
    grant: (folders: readonly string[]) =>
      answer<Grants>('/api/grants', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ folders }),
      }),
    watches: () => answer<WatchList>('/api/watches'),
    addWatch: (body: WatchBody) =>
      answer<Watch>('/api/watches', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      }),
    changeWatch: (id: string, body: WatchPatch) =>
      answer<Watch>(`/api/watches/${id}`, {
        method: 'PATCH',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      }),
    presets: () => answer<PresetList>('/api/presets'),
    addPreset: (body: PresetBody) =>
      answer<Preset>('/api/presets', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      }),
    async removePreset(id: string): Promise<void> {
      await request(`/api/presets/${id}`, { method: 'DELETE' });
    },
    /** Running tasks go on to their end. */
    switchQueue: (to: 'pause' | 'resume') =>
      answer<QueueState>(`/api/queue/${to}`, { method: 'POST' }),
    /** For a page, in place of the key that lasts. */
    newSession: async () => (await answer<SessionKey>('/api/sessions', { method: 'POST' })).key,
    /** A link that opens the page once. */
    newPageUrl: async () => (await answer<PageLink>('/api/page-links', { method: 'POST' })).pageUrl,
    async cancel(taskId: string): Promise<void> {
      const signal = AbortSignal.timeout(5000);
      await request(`/api/task/${taskId}/cancel`, { method: 'POST', signal });
    },
    /** Every task's changes until the stream ends. `onOpen` runs once it is established. */
    async readEvents(signal: AbortSignal, onOpen: () => void, onTask: (task: TaskChange) => void) {
      const response = await request('/api/tasks/sse', { signal });
      onOpen();
      const parser = createParser({
        onEvent: ({ event, data }) => {
          if (event === undefined || event === 'message') onTask(JSON.parse(data) as TaskChange);
        },
      });
      const text = (response.body ?? new ReadableStream()).pipeThrough(new TextDecoderStream());
      for await (const part of text) parser.feed(part);
    },
    /** A result link needs no key. */
    async download(imageUrl: string, signal: AbortSignal): Promise<Response> {
      const response = await fetch(imageUrl, { signal });
      if (!response.ok) throw await failureOf(response);
      return response;
    },
  };
}

async function failureOf(response: Response): Promise<RequestFailed> {
  const text = await response.text();
  return new RequestFailed(response.status, bodyOf(text), response.headers.get('retry-after'));
}

function bodyOf(text: string): Partial<ErrorBody> {
  try {
    return JSON.parse(text) as Partial<ErrorBody>;
  } catch {
    return { message: text.slice(0, 200) };
  }
}
