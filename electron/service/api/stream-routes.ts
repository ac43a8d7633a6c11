/** Event streams: one task's, as in part 1 of the contract, and that of all tasks. */
import { Type } from 'typebox';
import {
  administered,
  type SettingsChange,
} from '../../../packages/contract/src/settings/settings.ts';
import type { Download } from '../../../packages/contract/src/models/obtainable.ts';
import { hasEnded } from '../../../packages/contract/src/models/downloads.ts';
import type { QueueState } from '../../../packages/contract/src/queue.ts';
import { TaskChange, TaskView } from '../../../packages/contract/src/task.ts';
import type { Task } from '../store/tasks/task.ts';
import type { MissedChange, TaskEvent, Tasks } from '../tasks/tasks.ts';
import { createReplay } from './replay.ts';
import {
  type Api,
  eventText,
  type EventStream,
  type StreamEvent,
  type OpenStreams,
  createBroadcast,
  type Broadcast,
  answers,
  streamAnswer,
} from '../../../packages/http/src/index.ts';
import { queueStateOf, type QueueStateDeps } from './list-routes.ts';
import { TaskParams } from './one-task-routes.ts';
import {
  baseOf,
  changeOf,
  missedChangeOf,
  presentTask,
  progressViewOf,
  viewOf,
  type ViewDeps,
} from './present.ts';
import type { ChangeBus } from '../settings/change-bus.ts';
import type { Downloads } from '../models/obtain/downloads.ts';
import type { Log } from '../../../packages/contract/src/log.ts';

export interface StreamDeps extends ViewDeps, QueueStateDeps {
  tasks: Tasks;
  changes: Pick<ChangeBus, 'subscribe'>;
  downloads: Pick<Downloads, 'subscribeAll'>;
  deviceDownloads: Pick<Downloads, 'subscribeAll'>;
  log: Log;
}

export function taskStreamRoutes(app: Api, deps: StreamDeps, streams: OpenStreams): void {
  const { tasks } = deps;

  app.get(
    '/api/task/:taskId/sse',
    {
      exposeHeadRoute: false,
      schema: {
        tags: ['tasks'],
        summary: "Stream a task's events until it ends",
        params: TaskParams,
        response: answers(
          { 200: streamAnswer(TaskView, 'Server-sent events; the data of each is this JSON.') },
          'TASK_NOT_FOUND',
          'RESULT_EXPIRED',
        ),
      },
    },
    (request, reply) => {
      const task = presentTask(tasks, request.params.taskId);
      const base = baseOf(request);
      let unsubscribe = () => {};
      const stream = streams.open(reply, () => unsubscribe());
      const send = createTaskSender(stream, (task) => viewOf(task, base, deps));
      send({ task });
      unsubscribe = tasks.events.subscribe(task.taskId, send);
    },
  );
}

export function allTasksStreamRoutes(app: Api, deps: StreamDeps, streams: OpenStreams): void {
  const followers = createFollowers(deps);
  const replay = createReplay(deps.tasks.events);

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
            Type.String({ description: 'Id of the last event received.' }),
          ),
        }),
        description:
          'An event named reset says that changes were missed: list the tasks anew. One named queue tells QueueState, first and whenever it is another; one named settings names what is another now (Changed; keys, requests and helpers only to a key that may change settings); one named download tells how far a download of a model or of files of a device is (Download).',
        response: answers(
          {
            200: streamAnswer(
              TaskChange,
              'Server-sent events; the data of those named message is this JSON. Others are queue, settings, download and reset.',
            ),
          },
          'INVALID_REQUEST',
        ),
      },
    },
    (request, reply) => {
      const base = baseOf(request);
      const mayAdminister = request.caller?.mayAdminister === true;
      const ends: (() => void)[] = [];
      const stream = streams.open(reply, () => ends.forEach((end) => end()));
      const follow = () => {
        stream.send(queueEvent(queueStateOf(deps)));
        ends.push(followers.add({ base, mayAdminister }, stream));
      };
      const eventOf = (missed: MissedChange): StreamEvent => ({
        text: eventText(missedChangeOf(missed, base, deps), missed.eventId),
        about: 'task' in missed ? missed.task.taskId : missed.taskId,
        isProgress: false,
      });
      const lastSeen = request.headers['last-event-id'];
      if (lastSeen === undefined || lastSeen === '') follow();
      else
        replay(Number(lastSeen), { stream, eventOf, follow }).catch((thrown: unknown) => {
          deps.log('error', 'A stream could not be resumed.', { error: String(thrown) });
          stream.destroy();
        });
    },
  );
}

const queueEvent = (state: QueueState): StreamEvent => ({
  text: eventText(state, undefined, 'queue'),
  about: 'queue',
  isProgress: true,
});

const settingsEvent = (changed: SettingsChange): StreamEvent => ({
  text: eventText(changed, undefined, 'settings'),
  about: 'settings',
  isProgress: false,
});

const downloadEvent = (download: Download): StreamEvent => ({
  text: eventText(download, undefined, 'download'),
  about: `download ${download.modelId}`,
  isProgress: !hasEnded(download),
});

interface FollowerGroup {
  /** Origin of the request, prefix of links. */
  base: string;
  mayAdminister: boolean;
}

const isForAll = (name: SettingsChange['changed'][number]) =>
  !administered.some((administeredName) => administeredName === name);

/** Clients with the same origin and rights share one broadcast. */
function createFollowers(deps: StreamDeps) {
  const { tasks, changes, downloads, deviceDownloads } = deps;
  const groups = new Map<string, { broadcast: Broadcast; readers: number; end: () => void }>();
  const start = ({ base, mayAdminister }: FollowerGroup) => {
    const broadcast = createBroadcast();
    const sendTask = (event: TaskEvent) =>
      broadcast.send({
        text: eventText(changeOf(event, base, deps), event.eventId),
        about: event.task.taskId,
        isProgress: event.isProgress === true,
      });
    const sendDownload = (download: Download) => broadcast.send(downloadEvent(download));
    const sendChange = (names: SettingsChange['changed']) => {
      const changed = mayAdminister ? names : names.filter(isForAll);
      if (changed.length > 0) broadcast.send(settingsEvent({ changed }));
    };
    const ends = [
      downloads.subscribeAll(sendDownload),
      deviceDownloads.subscribeAll(sendDownload),
      tasks.events.subscribe(undefined, sendTask),
      tasks.onQueueChange(() => broadcast.send(queueEvent(queueStateOf(deps)))),
      changes.subscribe((names) => sendChange([...names])),
    ];
    return { broadcast, readers: 0, end: () => ends.forEach((end) => end()) };
  };
  return {
    /** @returns the function that ends the subscription */
    add(followed: FollowerGroup, stream: EventStream): () => void {
      const name = JSON.stringify(followed);
      const group = groups.get(name) ?? start(followed);
      groups.set(name, group);
      group.readers += 1;
      const leave = group.broadcast.add(stream);
      return () => {
        leave();
        group.readers -= 1;
        if (group.readers > 0) return;
        group.end();
        groups.delete(name);
      };
    },
  };
}

/**
 * Sends one task's events and closes after its end. FINISHED is always preceded by PROCESSING. A task that is
 * deleted meanwhile ends as cancelled.
 */
function createTaskSender(stream: EventStream, show: (task: Task) => TaskView) {
  let processingSeen = false;
  const send = (view: TaskView) => {
    processingSeen ||= view.status === 'PROCESSING';
    stream.send({
      text: eventText(view),
      about: view.taskId,
      isProgress: view.status === 'PROCESSING',
    });
  };
  return (event: TaskEvent) => {
    if (event.isProgress) {
      send(progressViewOf(event.task));
      return;
    }
    const { task, removed } = event;
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
