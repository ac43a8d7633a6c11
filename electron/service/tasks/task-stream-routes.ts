/** The two event streams: one task's, as part 1 of the contract shows it, and that of all tasks. */
import { Type } from 'typebox';
import type { Changed } from '../../contract/admin.ts';
import type { QueueState } from '../../contract/queue.ts';
import type { TaskView } from '../../contract/task.ts';
import type { TaskEvent, TaskRow } from './task-row.ts';
import type { Api, ApiDeps } from '../http/deps.ts';
import { eventText, type EventStream, type StreamEvent } from '../http/event-stream.ts';
import type { OpenStreams } from '../http/open-streams.ts';
import { answers } from '../http/schemas.ts';
import { queueStateOf } from './task-list-routes.ts';
import { TaskParams } from './task-routes.ts';
import { baseOf, changeOf, presentTask, viewOf } from './present-task.ts';

const streamSchema = {
  description: 'text/event-stream',
  content: { 'text/event-stream': { schema: Type.String() } },
};

export function taskStreamRoutes(app: Api, deps: ApiDeps, streams: OpenStreams): void {
  const { tasks, linkSecret } = deps;

  app.get(
    '/api/task/:taskId/sse',
    {
      exposeHeadRoute: false,
      schema: {
        tags: ['tasks'],
        summary: "A task's events until it ends",
        params: TaskParams,
        response: answers({ 200: streamSchema }, 'TASK_NOT_FOUND', 'RESULT_EXPIRED'),
      },
    },
    (request, reply) => {
      const row = presentTask(tasks, request.params.taskId);
      const base = baseOf(request);
      let unsubscribe = () => {};
      const stream = streams.open(reply, () => unsubscribe());
      const tell = createTeller(stream, (task) => viewOf(task, base, linkSecret));
      tell({ task: row });
      unsubscribe = tasks.events.subscribe(row.taskId, tell);
    },
  );
}

export function allTasksStreamRoutes(app: Api, deps: ApiDeps, streams: OpenStreams): void {
  const { tasks } = deps;
  const textOf = createSharedText((event, base) =>
    eventText(changeOf(event, base, deps), event.eventId),
  );

  app.get(
    '/api/tasks/sse',
    {
      exposeHeadRoute: false,
      schema: {
        tags: ['tasks'],
        summary:
          "Every task's changes, each with the whole record where more than its progress changed",
        headers: Type.Object({
          'last-event-id': Type.Optional(
            Type.String({ description: 'The id of the last event that was seen.' }),
          ),
        }),
        description:
          'An event named reset says that changes were missed: list the tasks anew. One named queue tells QueueState, first and whenever it is another; one named settings names what was set anew (Changed).',
        response: answers({ 200: streamSchema }, 'INVALID_REQUEST'),
      },
    },
    (request, reply) => {
      const base = baseOf(request);
      let unsubscribe = () => {};
      const stream = streams.open(reply, () => unsubscribe());
      const tell = (event: TaskEvent) =>
        stream.send({
          text: textOf(event, base),
          about: event.task.taskId,
          isProgress: event.isProgress === true,
        });
      const missed = missedSince(request.headers['last-event-id'], deps);
      if (missed === undefined) stream.send(reset);
      else missed.forEach(tell);
      const tellQueue = () => stream.send(queueEvent(queueStateOf(deps)));
      tellQueue();
      const ends = [
        tasks.events.subscribe(undefined, tell),
        tasks.onQueueChange(tellQueue),
        deps.changes.subscribe((changed) => stream.send(settingsEvent({ changed: [...changed] }))),
      ];
      unsubscribe = () => ends.forEach((end) => end());
    },
  );
}

const reset = { text: eventText({}, undefined, 'reset'), about: '', isProgress: false };

const queueEvent = (state: QueueState): StreamEvent => ({
  text: eventText(state, undefined, 'queue'),
  about: 'queue',
  isProgress: true,
});

const settingsEvent = (changed: Changed): StreamEvent => ({
  text: eventText(changed, undefined, 'settings'),
  about: 'settings',
  isProgress: false,
});

/** Undefined when what came after that event is not known any more. */
function missedSince(
  header: string | string[] | undefined,
  { tasks }: ApiDeps,
): TaskEvent[] | undefined {
  if (header === undefined || header === '') return [];
  const eventId = Number(header);
  return Number.isSafeInteger(eventId) ? tasks.events.since(eventId) : undefined;
}

/** Hundreds of readers share one text of an event. */
function createSharedText(write: (event: TaskEvent, base: string) => string) {
  let last: { event: TaskEvent; base: string; text: string } | undefined;
  return (event: TaskEvent, base: string): string => {
    if (last?.event !== event || last.base !== base)
      last = { event, base, text: write(event, base) };
    return last.text;
  };
}

/**
 * Tells one client of one task, and closes after its end. FINISHED never comes without a PROCESSING
 * before it. A task that is deleted while it is watched ends as cancelled.
 */
function createTeller(stream: EventStream, show: (task: TaskRow) => TaskView) {
  let processingSeen = false;
  const send = (view: TaskView) => {
    processingSeen ||= view.status === 'PROCESSING';
    stream.send({
      text: eventText(view),
      about: view.taskId,
      isProgress: view.status === 'PROCESSING',
    });
  };
  return ({ task, removed }: Pick<TaskEvent, 'task' | 'removed'>) => {
    const { taskId, status } = task;
    const hasEnded = status === 'FINISHED' || status === 'FAILED';
    if (status === 'FINISHED' && !processingSeen)
      send({ taskId, status: 'PROCESSING', progress: 100 });
    if (removed === true && !hasEnded) send({ taskId, status: 'FAILED', error: deleted });
    else send(show(task));
    if (hasEnded || removed === true) stream.end();
  };
}

const deleted = { code: 'CANCELLED', message: 'The task was deleted.' };
