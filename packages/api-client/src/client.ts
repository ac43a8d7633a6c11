/** Typed client of the service's API, for window, page, command line and agents. */
import { createDeviceCalls, createModelCalls } from './model-calls.ts';
import { createPhotoCalls, createTaskCalls } from './task-calls.ts';
import { createPictureCalls, createSavingCalls } from './picture-calls.ts';
import { createSettingCalls } from './setting-calls.ts';
import { createTransport, type ServiceConnection } from './transport.ts';

export type Client = ReturnType<typeof createClient>;

export function createClient(connection: ServiceConnection) {
  const transport = createTransport(connection);
  return {
    ...createTaskCalls(transport),
    ...createSettingCalls(transport),
    ...createModelCalls(transport),
    ...createDeviceCalls(transport),
    photos: createPhotoCalls(transport),
    pictures: createPictureCalls(transport),
    saving: createSavingCalls(transport),
    /** Event stream of all tasks, resuming after `lastEventId`. */
    events: (signal: AbortSignal, lastEventId?: string) =>
      transport.request('GET', '/api/tasks/sse', {
        signal,
        headers: lastEventId === undefined ? {} : { 'last-event-id': lastEventId },
      }),
  };
}
