/** Pool: several machines that share one batch. Settings and view. */
import { Type, type Static } from 'typebox';
import { closed, named, oneOf } from '../common.ts';

export const PoolSettings = closed(
  {
    address: Type.String({
      default: '',
      maxLength: 2000,
      pattern: '^(rediss?://.+)?$',
      description:
        "Where the pool's queue (Valkey or Redis) answers: redis://host:6379, rediss://user:password@host (TLS; ?ca=FILE for a certificate of one's own); empty: no pool.",
    }),
    storage: Type.String({
      default: '',
      maxLength: 4096,
      description:
        'Storage for pictures in transit: the absolute path of a shared folder, or s3://bucket/prefix?endpoint=https://host&region=name.',
    }),
    key: Type.String({
      default: '',
      pattern: '^([A-Za-z0-9_-]{43})?$',
      description:
        'Encryption key for pictures in transit: 32 bytes in base64url; empty: not encrypted.',
    }),
    submit: Type.Boolean({
      default: true,
      description: "Whether helpers of the pool may run this machine's tasks.",
    }),
    help: Type.Boolean({
      default: false,
      description: "Whether this machine runs other machines' tasks while it has none of its own.",
    }),
  },
  { default: {}, description: 'Sharing of a batch between machines.' },
);
export type PoolSettings = Static<typeof PoolSettings>;

const poolStates = ['off', 'connecting', 'connected', 'unreachable'] as const;

/** `away`: no heartbeat for some seconds; `aside`: quarantined by this machine for a while. */
export const helperStates = ['idle', 'working', 'busy', 'away', 'aside'] as const;

const HelperSpeed = closed({
  model: Type.String(),
  precision: Type.String(),
  megapixelsPerSecond: Type.Optional(
    Type.Number({
      description:
        'Source megapixels per second, measured over whole tasks; absent: not measured yet.',
    }),
  ),
});

/** View of a helper. */
export const HelperView = named('HelperView', {
  id: Type.String(),
  name: Type.String({ description: 'Host name.' }),
  isThis: Type.Boolean({ description: 'Whether it is this machine.' }),
  state: oneOf(helperStates),
  reason: Type.Optional(
    Type.String({ description: 'Why it is quarantined or gets no jobs, as a sentence.' }),
  ),
  speeds: Type.Array(HelperSpeed),
  doing: Type.Array(
    closed({
      taskId: Type.String(),
      isOwn: Type.Boolean({ description: 'Whether it is a task of this machine.' }),
      model: Type.String(),
      progress: Type.Integer({ minimum: 0, maximum: 100 }),
    }),
  ),
  finished: Type.Integer({ description: 'Number of tasks finished since it joined.' }),
});
export type HelperView = Static<typeof HelperView>;

/** GET /api/pool. */
export const PoolView = named('PoolView', {
  state: oneOf(poolStates),
  reason: Type.Optional(
    Type.String({
      description: 'Why the pool is not connected or distributes nothing, as a sentence.',
    }),
  ),
  encrypted: Type.Boolean(),
  helpers: Type.Array(HelperView),
  speedup: Type.Number({
    minimum: 1,
    description: 'Speed of the pool relative to this machine alone, over the last ten minutes.',
  }),
});
export type PoolView = Static<typeof PoolView>;
