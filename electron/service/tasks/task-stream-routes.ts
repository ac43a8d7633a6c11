/** The two event streams: one task's, as part 1 of the contract shows it, and that of all tasks. */
import { Type } from 'typebox';
import type { TaskView } from '../../contract/task.ts';
import type { TaskEvent, TaskRow } from './task-row.ts';
import type { Api, ApiDeps } from '../http/deps.ts';
import { eventText, type EventStream } from '../http/event-stream.ts';
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
          'An event named reset says that changes were missed: list the tasks anew. One named queue carries what ' +
          'GET /api/queue answers, when it was paused, goes on, or begins to wait for something.',
        response: answers({ 200: streamSchema }, 'INVALID_REQUEST'),
      },
    },
    (request, reply) => {
      const base = baseOf(request);
      let unsubscribe = () => {};
      const stream = streams.open(reply, () => unsubscribe());
      const tell = (event: TaskEvent) =>
        stream.send({
          text: eventText(changeOf(event, base, deps), event.eventId),
          taskId: event.task.taskId,
          isProgress: event.isProgress === true,
        });
      const tellQueue = () => stream.send(queueEvent(deps));
      const missed = missedSince(request.headers['last-event-id'], deps);
      if (missed === undefined) stream.send(reset);
      else missed.forEach(tell);
      if (tasks.waits) tellQueue();
      const ends = [tasks.events.subscribe(undefined, tell), tasks.onQueueChange(tellQueue)];
      unsubscribe = () => ends.forEach((end) => end());
    },
  );
}

/** No `message`: who follows the tasks alone does not see it. */
const queueEvent = (deps: ApiDeps) => ({
  text: `event: queue\ndata: ${JSON.stringify(queueStateOf(deps))}\n\n`,
  taskId: '',
  isProgress: false,
});

const reset = { text: 'event: reset\ndata: {}\n\n', taskId: '', isProgress: false };

/** Undefined when what came after that event is not known any more. */
function missedSince(
  header: string | string[] | undefined,
  { tasks }: ApiDeps,
): TaskEvent[] | undefined {
  if (header === undefined || header === '') return [];
  const eventId = Number(header);
  return Number.isSafeInteger(eventId) ? tasks.events.since(eventId) : undefined;
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
      taskId: view.taskId,
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
