/** The service's API as this page uses it. The page lies on the service's own origin. */
import type {
  KeyCreated,
  KeyList,
  Settings,
  SettingsPatch,
  Uploaded,
} from '../../electron/contract/admin.ts';
import type { QueueEstimate } from '../../electron/contract/queue.ts';
import type { ErrorBody } from '../../electron/contract/common.ts';
import type { DeviceList, ModelList } from '../../electron/contract/model.ts';
import type { EstimateBody, Operation, Submitted } from '../../electron/contract/submit.ts';
import type { Estimate, TaskList, TaskPatch, TaskRecord } from '../../electron/contract/task.ts';
import type { Session } from './session.ts';

/** What a request failed with. Code OFFLINE: the service did not answer at all. */
export class ApiError extends Error {
  readonly code: string;
  constructor(code: string, message: string) {
    super(message);
    this.code = code;
  }
}

const submitRoutes = { upscale: '/api/image-upscaler', 'remove-bg': '/api/remove-bg' };

export type Client = ReturnType<typeof createClient>;

/** `session` may get another key while the client lives. */
export function createClient(session: Session) {
  async function request(method: string, route: string, init: RequestInit = {}): Promise<Response> {
    const headers = new Headers(init.headers);
    headers.set('authorization', `KEY ${session.key}`);
    const response = await fetch(route, { ...init, method, headers }).catch(() => {
      throw new ApiError('OFFLINE', 'The service does not answer.');
    });
    if (response.ok) return response;
    throw await failureOf(response);
  }
  const get = async <T>(route: string) => (await (await request('GET', route)).json()) as T;
  const send = async (method: string, route: string, body?: object): Promise<Response> =>
    request(method, route, {
      ...(body && {
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      }),
    });

  return {
    /** For resources whose calls stand in a file of their own. */
    get,
    send,
    async upload(file: File): Promise<string> {
      const body = new FormData();
      body.set('file', file, file.name);
      const response = await request('POST', '/api/uploads', { body });
      return ((await response.json()) as Uploaded).imageUrl;
    },
    /** Answers the task's id. */
    async submit(operation: Operation, body: object): Promise<string> {
      const response = await send('POST', submitRoutes[operation], body);
      return ((await response.json()) as Submitted).taskId;
    },
    async estimate(body: EstimateBody): Promise<Estimate> {
      const response = await send('POST', '/api/estimate', body);
      return (await response.json()) as Estimate;
    },
    tasks: (cursor?: string) =>
      get<TaskList>(`/api/tasks?limit=500${cursor ? `&cursor=${encodeURIComponent(cursor)}` : ''}`),
    task: (taskId: string) => get<TaskRecord>(`/api/tasks/${taskId}`),
    cancel: (taskId: string) => send('POST', `/api/task/${taskId}/cancel`),
    retry: (taskId: string) => send('POST', `/api/task/${taskId}/retry`),
    remove: (taskId: string) => send('DELETE', `/api/task/${taskId}`),
    restore: (taskId: string) => send('POST', `/api/task/${taskId}/restore`),
    change: (taskId: string, patch: TaskPatch) => send('PATCH', `/api/task/${taskId}`, patch),
    /** Of all waiting tasks. */
    queueEstimate: () => get<QueueEstimate>('/api/queue/estimate'),
    pause: () => send('POST', '/api/queue/pause'),
    resume: () => send('POST', '/api/queue/resume'),
    models: () => get<ModelList>('/api/models'),
    devices: () => get<DeviceList>('/api/devices'),
    settings: () => get<Settings>('/api/settings'),
    changeSettings: (patch: SettingsPatch) => send('PATCH', '/api/settings', patch),
    /** Beside what is granted already. */
    grant: (folders: readonly string[]) => send('POST', '/api/grants', { folders }),
    keys: () => get<KeyList>('/api/keys'),
    createKey: async (name: string) =>
      (await (await send('POST', '/api/keys', { name })).json()) as KeyCreated,
    revokeKey: (id: string) => send('DELETE', `/api/keys/${id}`),
    /** The stream of all tasks, from the event after `lastEventId`. */
    events: (signal: AbortSignal, lastEventId?: string) =>
      request('GET', '/api/tasks/sse', {
        signal,
        headers: lastEventId === undefined ? {} : { 'last-event-id': lastEventId },
      }),
  };
}

async function failureOf(response: Response): Promise<ApiError> {
  const text = await response.text();
  try {
    const { code, message } = JSON.parse(text) as ErrorBody;
    return new ApiError(code, message);
  } catch {
    return new ApiError('INTERNAL', `${response.status} ${response.statusText}`);
  }
}
