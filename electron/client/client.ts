/** Offers the service's API to every face of Enlarger; each call names what it sends and what it gets. */
import { createDeviceCalls, createModelCalls } from './model-calls.ts';
import { createPhotoCalls, createTaskCalls } from './task-calls.ts';
import { createPictureCalls, createSavingCalls } from './picture-calls.ts';
import { createSettingCalls } from './setting-calls.ts';
import { createTransport, type Connection } from './transport.ts';

export type Client = ReturnType<typeof createClient>;

export function createClient(connection: Connection) {
  const transport = createTransport(connection);
  return {
    ...createTaskCalls(transport),
    ...createSettingCalls(transport),
    ...createModelCalls(transport),
    ...createDeviceCalls(transport),
    photos: createPhotoCalls(transport),
    pictures: createPictureCalls(transport),
    saving: createSavingCalls(transport),
    /** Opens the stream of all tasks' events, from the event after `lastEventId` on. */
    events: (signal: AbortSignal, lastEventId?: string) =>
      transport.request('GET', '/api/tasks/sse', {
        signal,
        headers: lastEventId === undefined ? {} : { 'last-event-id': lastEventId },
      }),
  };
}
