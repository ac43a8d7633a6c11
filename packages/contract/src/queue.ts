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
        message: Type.String({ description: 'A sentence for people.' }),
        againAt: Timestamp,
      },
      {
        description:
          'Why no task starts although the queue is not paused, and when the next attempt is made.',
      },
    ),
  ),
  notices: Type.Array(Notice),
});
export type QueueState = Static<typeof QueueState>;

export const QueueEstimate = named('QueueEstimate', {
  tasks: Type.Integer({ description: 'Number of waiting tasks.' }),
  unknown: Type.Integer({
    description:
      'Waiting tasks whose picture has not been inspected (remote pictures are inspected when their task starts). Not included in the sums below.',
  }),
  unmeasured: Type.Integer({
    description:
      'Waiting tasks whose model has not been measured on this machine. Not included in seconds.',
  }),
  seconds: Type.Number({
    description: 'Estimated time for all, one after another, from measured speed.',
  }),
  resultBytes: Type.Integer({ description: 'Estimated size of all result files.' }),
  scratchBytes: Type.Integer({
    description: 'Peak temporary disk space while they run, results not included.',
  }),
  freeBytes: Type.Integer({ description: "Free space on the data folder's disk." }),
  problems: Type.Array(closed({ taskId: Type.String(), ...TaskFailure.properties }), {
    description: 'Tasks that would fail as things are, in the order of the queue.',
  }),
});
export type QueueEstimate = Static<typeof QueueEstimate>;

/** GET /api/storage */
export const StorageUse = named('StorageUse', {
  folder: Type.String({ description: 'Absolute path of the data folder.' }),
  totalBytes: Type.Integer({ description: 'Size of all files in it.' }),
  resultBytes: Type.Integer({ description: 'Size of results, also of saved ones, with previews.' }),
  photoBytes: Type.Integer({ description: 'Size of copies of photos that were sent.' }),
  modelBytes: Type.Integer({ description: 'Size of downloaded and added models.' }),
});
export type StorageUse = Static<typeof StorageUse>;

/** A request, without query string and body. */
export const LoggedRequest = closed({
  at: Timestamp,
  method: Type.String(),
  path: Type.String(),
  statusCode: Type.Integer(),
  durationMs: Type.Number(),
  keyName: Type.Optional(
    Type.String({ description: 'Name of the key; absent for requests without a valid one.' }),
  ),
});
export type LoggedRequest = Static<typeof LoggedRequest>;

export const RequestLog = named('RequestLog', {
  requests: Type.Array(LoggedRequest, { description: 'The last 200 requests, newest first.' }),
});
export type RequestLog = Static<typeof RequestLog>;

/** Query of DELETE /api/task/{taskId}. */
export const RemovalQuery = closed({
  now: Type.Optional(
    Type.Boolean({
      default: false,
      description: 'Deletes the files at once: the task cannot be restored.',
    }),
  ),
});
export type RemovalQuery = Static<typeof RemovalQuery>;
