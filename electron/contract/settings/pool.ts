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
        'Where pictures lie on their way: the absolute path of a shared folder, or s3://bucket/prefix?endpoint=https://host&region=name.',
    }),
    key: Type.String({
      default: '',
      pattern: '^([A-Za-z0-9_-]{43})?$',
      description: '32 bytes in base64url that encrypt pictures on their way; empty: they are not.',
    }),
    submit: Type.Boolean({
      default: true,
      description: "Whether the pool's helpers may run tasks of this machine.",
    }),
    help: Type.Boolean({
      default: false,
      description: 'Whether this machine runs tasks of others while it has none of its own.',
    }),
  },
  { default: {}, description: 'Machines that share one batch.' },
);
export type PoolSettings = Static<typeof PoolSettings>;

const poolStates = ['off', 'connecting', 'connected', 'unreachable'] as const;

/** `away`: no heartbeat for some seconds; `aside`: quarantined by this machine for a while. */
export const helperStates = ['idle', 'working', 'busy', 'away', 'aside'] as const;

const HelperSpeed = closed({
  model: Type.String(),
  precision: Type.String(),
  megapixelsPerSecond: Type.Optional(
    Type.Number({ description: 'Of sources, measured over whole tasks; absent: none yet.' }),
  ),
});

/** View of a helper. */
export const HelperView = named('HelperView', {
  id: Type.String(),
  name: Type.String({ description: "The machine's own name." }),
  isThis: Type.Boolean({ description: 'Whether it is the machine that answers.' }),
  state: oneOf(helperStates),
  reason: Type.Optional(
    Type.String({ description: 'Why it is set aside or gets nothing, as a sentence.' }),
  ),
  speeds: Type.Array(HelperSpeed),
  doing: Type.Array(
    closed({
      taskId: Type.String(),
      isOwn: Type.Boolean({ description: 'Whether it is a task of the machine that answers.' }),
      model: Type.String(),
      progress: Type.Integer({ minimum: 0, maximum: 100 }),
    }),
  ),
  finished: Type.Integer({ description: 'Tasks that it finished since it joined.' }),
});
export type HelperView = Static<typeof HelperView>;

/** GET /api/pool. */
export const PoolView = named('PoolView', {
  state: oneOf(poolStates),
  reason: Type.Optional(
    Type.String({ description: 'Why it is not connected or gives nothing, as a sentence.' }),
  ),
  encrypted: Type.Boolean(),
  helpers: Type.Array(HelperView),
  speedup: Type.Number({
    minimum: 1,
    description:
      'How many times as fast as this machine alone the pool is: by what ended in the last ten minutes.',
  }),
});
export type PoolView = Static<typeof PoolView>;
