/** State of the queue, and the log of requests. */
import { Type, type Static } from 'typebox';
import { Notice } from './settings/settings.ts';
import { closed, named, Timestamp } from './common.ts';
import { StatusCounts, TaskFailure } from './task.ts';

/** GET /api/queue, and events named `queue` of GET /api/tasks/sse. */
export const QueueState = named('QueueState', {
  paused: Type.Boolean(),
  counts: StatusCounts,
  waits: Type.Optional(
    closed(
      {
        code: Type.Literal('ENGINE_CANNOT_START'),
        message: Type.String({ description: 'For people.' }),
        againAt: Timestamp,
      },
      { description: 'Why nothing begins though it is not paused, and when it is tried again.' },
    ),
  ),
  notices: Type.Array(Notice),
});
export type QueueState = Static<typeof QueueState>;

export const QueueEstimate = named('QueueEstimate', {
  tasks: Type.Integer({ description: 'How many wait.' }),
  unknown: Type.Integer({
    description:
      'Those of them whose picture was not looked at yet (a picture elsewhere is looked at when its task starts): not in the sums below.',
  }),
  unmeasured: Type.Integer({
    description: 'Those whose model was never measured on this machine: not in the seconds.',
  }),
  seconds: Type.Number({ description: 'From measured speed, one after the other.' }),
  resultBytes: Type.Integer({ description: 'A guess of all result files together.' }),
  scratchBytes: Type.Integer({
    description: 'The most disk that is needed at one time while they run, beside the results.',
  }),
  freeBytes: Type.Integer({ description: "Of the data folder's disk." }),
  problems: Type.Array(closed({ taskId: Type.String(), ...TaskFailure.properties }), {
    description: 'What would fail as it is; in the order of the queue.',
  }),
});
export type QueueEstimate = Static<typeof QueueEstimate>;

/** A request, without query string and body. */
export const LoggedRequest = closed({
  at: Timestamp,
  method: Type.String(),
  path: Type.String(),
  statusCode: Type.Integer(),
  durationMs: Type.Number(),
  keyName: Type.Optional(
    Type.String({ description: "The key's name; absent for one without a valid key." }),
  ),
});
export type LoggedRequest = Static<typeof LoggedRequest>;

export const RequestLog = named('RequestLog', {
  requests: Type.Array(LoggedRequest, { description: 'The last 200, newest first.' }),
});
export type RequestLog = Static<typeof RequestLog>;

/** Query of DELETE /api/task/{taskId}. */
export const RemovalQuery = Type.Object({
  now: Type.Optional(
    Type.Boolean({
      default: false,
      description: 'Deletes the files at once: the task cannot be restored.',
    }),
  ),
});
export type RemovalQuery = Static<typeof RemovalQuery>;
