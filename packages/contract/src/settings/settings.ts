/** Settings, keys, health and uploads. */
import { Type, type Static } from 'typebox';
import { PickedFile } from '../bridge.ts';
import { closed, named, oneOf, Timestamp } from '../common.ts';
import { deviceChoices } from '../models/devices.ts';
import { Choices, PageSettings } from './page.ts';
import { PoolSettings } from './pool.ts';

export const Health = named('Health', {
  status: oneOf(['ok', 'waiting'], {
    description:
      'waiting: the service runs, but tasks cannot start; GET /api/queue returns the reason.',
  }),
  version: Type.String(),
});
export type Health = Static<typeof Health>;

export const UploadReceipt = named('Uploaded', { imageUrl: Type.String() });
export type UploadReceipt = Static<typeof UploadReceipt>;

/** Raw bytes carry no file name. */
export const UploadQuery = closed({
  name: Type.Optional(Type.String({ minLength: 1, maxLength: 255, description: 'File name.' })),
});
export type UploadQuery = Static<typeof UploadQuery>;

/** One-time token of the page's link. */
export const SessionBody = named('SessionBody', {
  token: Type.String({ minLength: 1, maxLength: 200 }),
});
export type SessionBody = Static<typeof SessionBody>;

export const SessionKey = named('SessionKey', {
  /** Valid while the service's process lives. */
  key: Type.String(),
  /** Files to add to the page's queue, named when the service was started. */
  files: Type.Optional(Type.Array(PickedFile)),
});
export type SessionKey = Static<typeof SessionKey>;

/** Contains a one-time token. */
export const PageLink = named('PageLink', { pageUrl: Type.String() });
export type PageLink = Static<typeof PageLink>;

/** Notice to a person, shown until dismissed. */
export const Notice = named('Notice', {
  code: oneOf(['DATABASE_SET_ASIDE', 'RESULTS_ADOPTED']),
  message: Type.String({ description: 'A sentence for people.' }),
  noticedAt: Timestamp,
});
export type Notice = Static<typeof Notice>;

const reserveChoices = ['auto', 'little', 'half', 'most'] as const;
export type ReserveChoice = (typeof reserveChoices)[number];

/** Share of the machine left to other programs while networks run. */
const LeaveRoom = oneOf(reserveChoices, {
  default: 'auto',
  description:
    'What of the machine is left to other programs. little: what they ask for, as networks run below normal priority. half: they go first always, and have half of the processor. most: they have three quarters of it, tiles are small, and memory is given back after each photo. auto: little; as half on battery; other programs go first while a person works in them.',
});

const kib = 1024;
const mib = 1024 * kib;
const gib = 1024 * mib;

/** Maximum entries of the lists that several programs edit. */
export const maxListed = { grantedFolders: 1000, allowedOrigins: 100 };

/** Every setting has a default. GET /api/settings returns all of them. */
export const Settings = named('Settings', {
  allowLocalSources: Type.Boolean({
    default: false,
    description: 'Also fetch from loopback, private and link-local addresses.',
  }),
  allowedOrigins: Type.Array(Type.String({ maxLength: 300 }), {
    default: [],
    maxItems: maxListed.allowedOrigins,
    description: 'Origins of web pages that may call the API (with a key).',
  }),
  grantedFolders: Type.Array(Type.String({ maxLength: 4096 }), {
    default: [],
    maxItems: maxListed.grantedFolders,
    description: 'Absolute folders whose files may be read and written.',
  }),
  maxBodyBytes: Type.Integer({ default: 64 * mib, minimum: 64 * kib, maximum: gib }),
  maxSourceBytes: Type.Integer({ default: 2 * gib, minimum: mib }),
  maxSourcePixels: Type.Integer({ default: 400_000_000, minimum: 1 }),
  maxResultPixels: Type.Integer({ default: 16_000_000_000, minimum: 1 }),
  maxWaitingTasks: Type.Integer({ default: 100_000, minimum: 1 }),
  retentionHours: Type.Number({ default: 24, minimum: 24, maximum: 24 * 30 }),
  nameInMetadata: Type.Boolean({
    default: true,
    description: 'Write Enlarger, model and scale into Software and the XMP history of results.',
  }),
  defaultUpscaler: Type.String({ default: 'natural', maxLength: 100 }),
  defaultRemover: Type.String({ default: 'cutout', maxLength: 100 }),
  defaultSelector: Type.String({
    default: '',
    maxLength: 100,
    description:
      'Model of task select that answers points, strokes that select objects and boxes of cut-outs; empty: the model that cuts out.',
  }),
  modelMirror: Type.String({
    default: '',
    maxLength: 2000,
    pattern: '^(https?://.*)?$',
    description: 'Mirror that is tried first for model files; empty: none.',
  }),
  downloadProxy: Type.String({
    default: '',
    maxLength: 2000,
    pattern: '^(https?://.*)?$',
    description:
      'The proxy through which models and files of devices are fetched; empty: what HTTPS_PROXY and NO_PROXY of the environment say.',
  }),
  keepAliveMinutes: Type.Number({
    default: 5,
    minimum: 0,
    maximum: 24 * 60,
    description: 'Minutes that networks stay in memory while idle.',
  }),
  leaveRoom: LeaveRoom,
  device: oneOf(deviceChoices, { default: 'auto' }),
  graphicsCard: Type.Integer({
    default: 0,
    minimum: 0,
    maximum: 15,
    description:
      'Of several graphics cards the one that networks run on, by CUDA or DirectML: its place among those of GET /api/devices, from 0 on.',
  }),
  compatOn: Type.Boolean({
    default: false,
    description: 'Serve the APIs of other services on a separate port.',
  }),
  compatPort: Type.Integer({ default: 8517, minimum: 1, maximum: 65_535 }),
  compatKeyless: Type.Boolean({
    default: false,
    description: 'Serve that port without a key.',
  }),
  newPhotos: Choices,
  page: PageSettings,
  pool: PoolSettings,
});
export type Settings = Static<typeof Settings>;

/** Nested objects are merged field by field. */
export const SettingsPatch = named(
  'SettingsPatch',
  {
    ...Type.Partial(Settings).properties,
    newPhotos: Type.Optional(Type.Partial(Choices, { additionalProperties: false })),
    page: Type.Optional(Type.Partial(PageSettings, { additionalProperties: false })),
    pool: Type.Optional(Type.Partial(PoolSettings, { additionalProperties: false })),
  },
  { minProperties: 1 },
);
export type SettingsPatch = Static<typeof SettingsPatch>;

/** Sent only to keys that may change settings. */
export const administered = ['keys', 'requests', 'helpers'] as const;

/**
 * Event `settings` of GET /api/tasks/sse: names of changed settings and resources. Authorised clients read
 * their values.
 */
export const SettingsChange = named('Changed', {
  changed: Type.Array(
    oneOf([
      ...(Object.keys(Settings.properties) as (keyof Settings)[]),
      'presets',
      'watches',
      'models',
      'devices',
      ...administered,
    ]),
  ),
});
export type SettingsChange = Static<typeof SettingsChange>;

/** GET /api/compat: state of the port for programs of other services. */
export const CompatState = named('CompatState', {
  on: Type.Boolean(),
  url: Type.Optional(Type.String({ description: 'Such as http://127.0.0.1:8517.' })),
  problem: Type.Optional(Type.String({ description: 'Why it is switched on but not available.' })),
});
export type CompatState = Static<typeof CompatState>;

const folderPath = Type.String({ minLength: 1, maxLength: 4096 });
const origin = Type.String({ minLength: 1, maxLength: 300 });

/** POST /api/grants. */
export const GrantBody = named('GrantBody', {
  folders: Type.Array(folderPath, {
    minItems: 1,
    maxItems: maxListed.grantedFolders,
    description: 'Absolute paths of folders (or single files) that are there.',
  }),
});
export type GrantBody = Static<typeof GrantBody>;

/** DELETE /api/grants. */
export const GrantQuery = Type.Object({ folder: folderPath }, { additionalProperties: false });

export const Grants = named('Grants', { grantedFolders: Type.Array(Type.String()) });
export type Grants = Static<typeof Grants>;

/** POST /api/origins. */
export const OriginBody = named('OriginBody', {
  origins: Type.Array(origin, {
    minItems: 1,
    maxItems: maxListed.allowedOrigins,
    description: 'Such as https://example.org.',
  }),
});
export type OriginBody = Static<typeof OriginBody>;

/** DELETE /api/origins. */
export const OriginQuery = Type.Object({ origin }, { additionalProperties: false });

export const Origins = named('Origins', { allowedOrigins: Type.Array(Type.String()) });
export type Origins = Static<typeof Origins>;

const localCallbacks = Type.Optional(
  Type.Boolean({
    default: false,
    description:
      'Whether a callbackUrl of this key may name this machine or a private network. Its sources may not.',
  }),
);
export const KeyBody = named('KeyBody', {
  name: Type.String({ minLength: 1, maxLength: 100 }),
  localCallbacks,
});
export type KeyBody = Static<typeof KeyBody>;

export const KeyView = named('KeyView', {
  id: Type.String(),
  name: Type.String(),
  createdAt: Timestamp,
  lastUsedAt: Type.Optional(Timestamp),
  localCallbacks,
});
export type KeyView = Static<typeof KeyView>;

export const KeyList = named('KeyList', { keys: Type.Array(KeyView) });
export type KeyList = Static<typeof KeyList>;

/** The only response with the key itself; the service stores its hash. */
export const KeyCreated = named('KeyCreated', {
  id: Type.String(),
  name: Type.String(),
  key: Type.String(),
});
export type KeyCreated = Static<typeof KeyCreated>;

/** /api/callbacks/secret: 32 bytes as hex. */
export const CallbackSecret = named('CallbackSecret', {
  secret: Type.String({ pattern: '^[0-9a-fA-F]{64}$', description: '32 bytes as hex.' }),
});
export type CallbackSecret = Static<typeof CallbackSecret>;

/** Line on stdout of `serve` once it accepts requests. */
export const StartLine = closed({
  url: Type.String(),
  pageUrl: Type.String(),
  keyFile: Type.String(),
  pid: Type.Integer(),
  version: Type.String(),
  compatUrl: Type.Optional(
    Type.String({ description: 'Address of the port for programs written for other services.' }),
  ),
});
export type StartLine = Static<typeof StartLine>;

/**
 * PUT /api/surroundings: battery and activity, reported by a program on the person's screen; expires after
 * two minutes.
 */
export const PowerAndActivity = named('Surroundings', {
  onBattery: Type.Boolean(),
  personElsewhere: Type.Boolean({
    description: 'Whether a person is working on this machine in another program.',
  }),
});
export type PowerAndActivity = Static<typeof PowerAndActivity>;
