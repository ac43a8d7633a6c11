/** A client of a running Enlarger, for Node and browsers: `createClient({ url, key }).enlarge(file)`. */
import { createParser } from 'eventsource-parser';
import type {
  Estimate,
  ModelView,
  RemoveBackgroundOptions,
  TaskRecord,
  TaskView,
  UpscaleOptions,
} from './types.ts';

export type * from './types.ts';

export interface ClientOptions {
  /** Origin of the service, e.g. http://127.0.0.1:8617. */
  url: string;
  key: string;
  /** Replaces the global fetch. */
  fetch?: typeof globalThis.fetch;
}

/** Bytes of a photo, or its URL in any form the service accepts. */
export type Photo = Blob | Uint8Array<ArrayBuffer> | string;

export interface Following {
  /** Percent, 0 to 100. */
  onProgress?: (percent: number) => void;
  /** Cancels the task. */
  signal?: AbortSignal;
}

export interface Result {
  taskId: string;
  /** Valid for 24 hours, without a key. */
  imageUrl: string;
  thumbUrl: string;
  /** Downloads the result. */
  blob(): Promise<Blob>;
  /** The task's record. */
  record(): Promise<TaskRecord>;
}

/** A response that is not 2xx (with its status), a failed task (without), or OFFLINE where no service answers. */
export class EnlargerError extends Error {
  override readonly name = 'EnlargerError';
  readonly code: string;
  readonly statusCode: number | undefined;

  constructor(code: string, message: string, statusCode?: number) {
    super(message);
    this.code = code;
    this.statusCode = statusCode;
  }
}

export type EnlargerClient = ReturnType<typeof createClient>;

const submitRoutes = { upscale: '/api/image-upscaler', 'remove-bg': '/api/remove-bg' } as const;

/** Encodes an id as one path segment, so that it cannot lead to another route. */
function pathSegment(id: string): string {
  if (id !== '' && id !== '.' && id !== '..') return encodeURIComponent(id);
  throw new EnlargerError('INVALID_REQUEST', `Expected an id but received ${JSON.stringify(id)}.`);
}

export function createClient({ url, key, fetch = globalThis.fetch }: ClientOptions) {
  const base = url.replace(/\/+$/, '');

  /** Handles a connection that broke. @throws the reason of the signal if that has fired, else EnlargerError */
  const broken = (signal: AbortSignal | null | undefined) => (cause: unknown) => {
    signal?.throwIfAborted();
    throw Object.assign(new EnlargerError('OFFLINE', unanswered(base)), { cause });
  };

  async function request(route: string, init: RequestInit = {}): Promise<Response> {
    const headers = new Headers(init.headers);
    headers.set('authorization', `KEY ${key}`);
    const response = await fetch(base + route, { ...init, headers }).catch(broken(init.signal));
    if (response.ok) return response;
    throw await failureOf(response);
  }
  const get = async <T>(route: string) => (await (await request(route)).json()) as T;
  const post = async <T>(route: string, body: object) => {
    const headers = { 'content-type': 'application/json' };
    const init = { method: 'POST', headers, body: JSON.stringify(body) };
    return (await (await request(route, init)).json()) as T;
  };

  /** Returns a URL to submit, valid for an hour. */
  async function upload(photo: Blob | Uint8Array<ArrayBuffer>, signal?: AbortSignal) {
    const name = 'name' in photo && typeof photo.name === 'string' ? photo.name : 'photo';
    const init = { method: 'POST', body: photo, ...(signal && { signal }) };
    const headers = { 'content-type': 'application/octet-stream' };
    const route = `/api/uploads?name=${encodeURIComponent(name)}`;
    const response = await request(route, { ...init, headers });
    return ((await response.json()) as { imageUrl: string }).imageUrl;
  }

  async function addressOf(photo: Photo, signal?: AbortSignal): Promise<string> {
    return typeof photo === 'string' ? photo : upload(photo, signal);
  }

  /** Returns the task's id. */
  async function submit(
    operation: keyof typeof submitRoutes,
    photo: Photo,
    options: UpscaleOptions | RemoveBackgroundOptions = {},
    signal?: AbortSignal,
  ): Promise<string> {
    const imageUrl = await addressOf(photo, signal);
    const route = submitRoutes[operation];
    signal?.throwIfAborted();
    // Not aborted once sent, because a task is cancelled by its id.
    return (await post<{ taskId: string }>(route, { ...options, imageUrl })).taskId;
  }

  async function cancel(taskId: string): Promise<void> {
    await request(`/api/task/${pathSegment(taskId)}/cancel`, { method: 'POST' });
  }

  const task = (taskId: string) => get<TaskView>(`/api/task/${pathSegment(taskId)}`);

  /**
   * Resolves with the finished task. A service that is started again within a minute goes on with it.
   *
   * @throws EnlargerError if it failed
   */
  async function follow(taskId: string, { onProgress, signal }: Following = {}): Promise<Result> {
    let [lastPercent, misses] = [-1, 0];
    const report = (percent: number) => {
      misses = 0;
      if (percent > lastPercent) onProgress?.((lastPercent = percent));
    };
    try {
      for (;;) {
        const ended = await readEvents(taskId, report, signal).catch((error: unknown) => {
          misses += 1;
          if (!isOffline(error) || misses > maxMisses) throw error;
          return new Promise<undefined>((resolve) => setTimeout(resolve, retryMs, undefined));
        });
        if (ended) return resultOf(ended);
      }
    } catch (error) {
      // It may have ended meanwhile.
      if (signal?.aborted === true) await cancel(taskId).catch(() => undefined);
      throw error;
    }
  }

  /** Undefined if the stream broke before the end. */
  async function readEvents(
    taskId: string,
    report: (percent: number) => void,
    signal: AbortSignal | undefined,
  ): Promise<TaskView | undefined> {
    let ended: TaskView | undefined;
    const parser = createParser({
      onEvent({ data }) {
        const view = JSON.parse(data) as TaskView;
        if (view.progress !== undefined) report(view.progress);
        if (view.status === 'FINISHED') report(100);
        if (view.status === 'FINISHED' || view.status === 'FAILED') ended = view;
      },
    });
    const init = signal ? { signal } : {};
    const { body } = await request(`/api/task/${pathSegment(taskId)}/sse`, init);
    if (body === null) return undefined;
    const reader = body.pipeThrough(new TextDecoderStream()).getReader();
    for (;;) {
      const { done, value } = await reader.read().catch(broken(signal));
      if (done || ended) return ended;
      parser.feed(value);
    }
  }

  function resultOf({ taskId, imageUrl, thumbUrl, error }: TaskView): Result {
    if (imageUrl === undefined || thumbUrl === undefined)
      throw new EnlargerError(error?.code ?? 'INTERNAL', error?.message ?? 'The task failed.');
    return {
      taskId,
      imageUrl,
      thumbUrl,
      async blob() {
        const response = await fetch(imageUrl);
        if (!response.ok) throw await failureOf(response);
        return response.blob();
      },
      record: () => record(taskId),
    };
  }

  const record = (taskId: string) => get<TaskRecord>(`/api/tasks/${pathSegment(taskId)}`);

  async function make(
    operation: keyof typeof submitRoutes,
    photo: Photo,
    { onProgress, signal, ...options }: (UpscaleOptions | RemoveBackgroundOptions) & Following,
  ): Promise<Result> {
    const taskId = await submit(operation, photo, options, signal);
    return follow(taskId, { ...(onProgress && { onProgress }), ...(signal && { signal }) });
  }

  return {
    /** Uploads the photo, waits for its task and returns the result. */
    enlarge: (photo: Photo, options: UpscaleOptions & Following = {}) =>
      make('upscale', photo, options),
    /** The same for the subject alone. */
    removeBackground: (photo: Photo, options: RemoveBackgroundOptions & Following = {}) =>
      make('remove-bg', photo, options),
    upload,
    submit,
    follow,
    cancel,
    task,
    record,
    /** Size and cost of a submit. */
    estimate: async (photo: Photo, options: UpscaleOptions = {}) =>
      post<Estimate>('/api/estimate', { ...options, imageUrl: await addressOf(photo) }),
    models: async () => (await get<{ models: ModelView[] }>('/api/models')).models,
  };
}

/** A task is asked for so often while no service answers, a minute in all. */
const maxMisses = 60;
const retryMs = 1000;

const isOffline = (error: unknown) => error instanceof EnlargerError && error.code === 'OFFLINE';

/** A browser does not tell a page whether nothing answers or the page was not let in. */
const unanswered = (base: string) =>
  `No service answers at ${base}${'document' in globalThis ? ', or it does not allow this page' : ''}.`;

async function failureOf(response: Response): Promise<EnlargerError> {
  const body = (await response.json().catch(() => ({}))) as { code?: string; message?: string };
  const { code = 'INTERNAL', message = `The service answered ${response.status}.` } = body;
  return new EnlargerError(code, message, response.status);
}
