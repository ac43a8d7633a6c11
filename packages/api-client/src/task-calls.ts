/** Calls for tasks and the queue. */
import type { Notice, UploadReceipt } from '../../contract/src/settings/settings.ts';
import type {
  QueueEstimate,
  QueueState,
  RequestLog,
  StorageUse,
} from '../../contract/src/queue.ts';
import type { EstimateBody, Operation, SubmitReceipt } from '../../contract/src/request.ts';
import type {
  AgainBody,
  Estimate,
  MarkBody,
  TaskList,
  TaskPatch,
  TaskRecord,
  TaskView,
} from '../../contract/src/task.ts';
import { fetchAnswer, pathSegment, type SendOptions, type Transport } from './transport.ts';
import type { AddedPhotos, AddPhotosBody } from '../../contract/src/photo.ts';

/** Bytes of a file on disk or in a page. */
export interface NamedBlob {
  blob: Blob;
  name: string;
}

interface SubmitOptions {
  idempotencyKey?: string;
  signal?: AbortSignal;
}

const submitRoutes = { upscale: '/api/image-upscaler', 'remove-bg': '/api/remove-bg' } as const;

/** Signal that fires `ms` after the given one, unless `end` is called before. */
function delayed(signal: AbortSignal | undefined, ms: number) {
  const later = new AbortController();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const wait = () => (timer = setTimeout(() => later.abort(signal?.reason), ms));
  signal?.addEventListener('abort', wait, { once: true });
  const end = () => {
    signal?.removeEventListener('abort', wait);
    clearTimeout(timer);
  };
  return { signal: later.signal, end };
}

export function createTaskCalls({ request, get, send, ask }: Transport) {
  return {
    /** Streams the bytes and returns the URL to submit. */
    async upload({ blob, name }: NamedBlob, signal?: AbortSignal): Promise<string> {
      const headers = { 'content-type': 'application/octet-stream' };
      const init = { body: blob, headers, ...(signal && { signal }) };
      const response = await request('POST', `/api/uploads?name=${encodeURIComponent(name)}`, init);
      return ((await response.json()) as UploadReceipt).imageUrl;
    },
    /**
     * Returns the task's id. If the signal fires after the request was sent, the response is awaited for 5 s,
     * because a task is cancelled by its id.
     */
    async submit(
      operation: Operation,
      body: object,
      { idempotencyKey, signal }: SubmitOptions = {},
    ): Promise<string> {
      signal?.throwIfAborted();
      const late = delayed(signal, 5000);
      try {
        const { taskId } = await ask<SubmitReceipt>('POST', submitRoutes[operation], body, {
          ...(idempotencyKey !== undefined && { headers: { 'idempotency-key': idempotencyKey } }),
          signal: late.signal,
        });
        return taskId;
      } finally {
        late.end();
      }
    },
    /** Size and cost of a submit. */
    estimate: (body: EstimateBody, more?: SendOptions) =>
      ask<Estimate>('POST', '/api/estimate', body, more),
    /** Time of all waiting tasks. */
    queueEstimate: () => get<QueueEstimate>('/api/queue/estimate'),
    /** Task as in part 1 of the contract. */
    task: (taskId: string, signal?: AbortSignal) =>
      get<TaskView>(`/api/task/${pathSegment(taskId)}`, signal),
    record: (taskId: string, signal?: AbortSignal) =>
      get<TaskRecord>(`/api/tasks/${pathSegment(taskId)}`, signal),
    list: (limit: number, cursor?: string) =>
      get<TaskList>(
        `/api/tasks?limit=${limit}${cursor ? `&cursor=${encodeURIComponent(cursor)}` : ''}`,
      ),
    cancel: (taskId: string, signal?: AbortSignal) =>
      send('POST', `/api/task/${pathSegment(taskId)}/cancel`, undefined, signal && { signal }),
    retry: (taskId: string) => send('POST', `/api/task/${pathSegment(taskId)}/retry`),
    /** Submits the same photo with other options; returns the new task's id. */
    again: async (taskId: string, body: AgainBody) =>
      (await ask<SubmitReceipt>('POST', `/api/task/${pathSegment(taskId)}/again`, body)).taskId,
    mark: (taskId: string, body: MarkBody) =>
      ask<TaskRecord>('PUT', `/api/task/${pathSegment(taskId)}/mark`, body),
    remove: (taskId: string) => send('DELETE', `/api/task/${pathSegment(taskId)}`),
    restore: (taskId: string) => send('POST', `/api/task/${pathSegment(taskId)}/restore`),
    change: (taskId: string, patch: TaskPatch) =>
      send('PATCH', `/api/task/${pathSegment(taskId)}`, patch),
    queue: () => get<QueueState>('/api/queue'),
    dismissNotice: (code: Notice['code']) => send('DELETE', `/api/notices/${pathSegment(code)}`),
    /** Running tasks continue during a pause. */
    switchQueue: (to: 'pause' | 'resume') => ask<QueueState>('POST', `/api/queue/${to}`),
    requests: () => get<RequestLog>('/api/requests'),
    storage: () => get<StorageUse>('/api/storage'),
    /** Downloads a result by its link, without a key. */
    download: fetchAnswer,
  };
}

/** Photos added in the page, stored by the service, started or not. */
export type PhotoCalls = ReturnType<typeof createPhotoCalls>;

export function createPhotoCalls({ get, send }: Pick<Transport, 'get' | 'send'>) {
  return {
    list: () => get<AddedPhotos>('/api/photos'),
    put: (photos: AddPhotosBody['photos']) => send('PUT', '/api/photos', { photos }),
    drop: (photos: readonly string[]) => send('POST', '/api/photos/drop', { photos }),
  };
}
