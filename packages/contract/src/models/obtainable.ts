/**
 * Downloads: publisher, licence, location. Models (models/obtainable.json is one of these), and files that
 * devices need.
 */
import { Type, type Static } from 'typebox';
import { closed, named, oneOf } from '../common.ts';
import { ImportProgress } from './import-progress.ts';
import { providers } from './devices.ts';
import { operations } from '../request.ts';

export const ObtainableFile = closed({
  name: Type.String({ pattern: '^[A-Za-z0-9._-]+$' }),
  sizeBytes: Type.Optional(Type.Integer({ minimum: 1 })),
  sha256: Type.Optional(
    Type.String({
      pattern: '^[0-9a-f]{64}$',
      description: 'Absent: not published; the hash of the first download is recorded.',
    }),
  ),
  urls: Type.Array(Type.String(), { minItems: 1, description: 'Tried in this order.' }),
});
export type ObtainableFile = Static<typeof ObtainableFile>;

/**
 * Kinds of machines for which a set is recommended: a processor alone, a graphics device without memory of its own, a
 * graphics card, and Apple silicon.
 */
export const machineKinds = ['cpu', 'integrated', 'card', 'apple'] as const;
export type MachineKind = (typeof machineKinds)[number];

const minMegabytes = (ofWhat: string) =>
  Type.Optional(Type.Integer({ minimum: 1, description: `Least ${ofWhat}, in megabytes.` }));

export const ObtainableModel = named('ObtainableModel', {
  id: Type.String({ pattern: '^[a-z0-9][a-z0-9-]*$' }),
  name: Type.String(),
  bestFor: Type.String({ minLength: 1, description: 'A phrase, such as: clean photos, 2x.' }),
  description: Type.String(),
  task: oneOf(operations),
  licence: Type.String({ description: "The publisher's licence for the weights." }),
  author: Type.String(),
  trainingData: Type.String({ description: 'What is known about the training data.' }),
  homepage: Type.String(),
  speedClass: oneOf(['fast', 'medium', 'slow'], {
    description:
      'Time on two processor cores. Of an enlarging network for a megapixel of the photo: fast up to 15 s, medium up to 120 s. Of one that cuts out, for a photo: fast up to 2 s, medium up to 10 s.',
  }),
  recommendedFor: Type.Optional(
    closed(
      {
        cpu: minMegabytes('memory of the machine'),
        integrated: minMegabytes('memory of the machine'),
        card: minMegabytes('memory of the graphics card'),
        apple: minMegabytes('memory of the machine'),
      },
      { description: 'Kinds of machines for whose recommended set it was chosen.' },
    ),
  ),
  mayBeDefault: Type.Optional(
    Type.Literal(true, {
      description:
        'Whether it suits every photo of its task: fetched with the recommended set, it becomes the default if it is fast enough.',
    }),
  ),
  memoryMegabytes: Type.Optional(
    Type.Integer({
      minimum: 1,
      description:
        "Memory on the CPU in addition to Enlarger's own, in megabytes. Independent of the picture's size for enlarging networks, which see one tile at a time. Measured with a network of the same shape. Absent: not known.",
    }),
  ),
  memoryByOthers: Type.Optional(
    Type.Literal(true, {
      description: 'Set when memoryMegabytes is a published figure that was not measured here.',
    }),
  ),
  twinName: Type.Optional(
    Type.String({
      description: 'Name of the network in the second file, with which the first can be blended.',
    }),
  ),
  files: Type.Array(ObtainableFile, { minItems: 1 }),
});
export type ObtainableModel = Static<typeof ObtainableModel>;

export const ObtainableCatalogue = named('ObtainableCatalogue', {
  models: Type.Array(ObtainableModel),
});
export type ObtainableCatalogue = Static<typeof ObtainableCatalogue>;

/** GET /api/models/recommended */
export const RecommendedModels = named('RecommendedModels', {
  machine: oneOf(machineKinds, { description: 'What networks run on here.' }),
  models: Type.Array(ObtainableModel),
  installedIds: Type.Array(Type.String(), { description: 'Of these models.' }),
  missingBytes: Type.Integer({
    minimum: 0,
    description: 'Size of the files of those that are not installed.',
  }),
  defaultWithinSeconds: closed(
    { upscale: Type.Number(), 'remove-bg': Type.Number() },
    {
      description:
        'A fetched model with mayBeDefault becomes the default of its task if a photo of 12 megapixels takes at most this long here, unless another model was chosen as the default.',
    },
  ),
});
export type RecommendedModels = Static<typeof RecommendedModels>;

const downloadStates = ['fetching', 'importing', 'finished', 'failed', 'cancelled'] as const;

export const DeviceFiles = named('DeviceFiles', {
  id: Type.String({ pattern: '^[a-z0-9][a-z0-9-]*$' }),
  provider: oneOf(providers),
  name: Type.String(),
  description: Type.String(),
  needs: Type.String({ description: 'What must be installed separately.' }),
  licence: Type.String(),
  author: Type.String(),
  homepage: Type.String(),
  files: Type.Array(ObtainableFile, { minItems: 1 }),
});
/** Files that a device needs and Enlarger does not contain. */
export type DeviceFiles = Static<typeof DeviceFiles>;

export const DeviceFilesList = named('DeviceFilesList', {
  deviceFiles: Type.Array(DeviceFiles, { description: 'Files for this operating system.' }),
  installedId: Type.Optional(Type.String({ description: 'Id of the files in use.' })),
});
export type DeviceFilesList = Static<typeof DeviceFilesList>;

export const Download = named('Download', {
  modelId: Type.String({ description: 'Id of the model or of the device files.' }),
  state: oneOf(downloadStates),
  receivedBytes: Type.Integer(),
  totalBytes: Type.Optional(Type.Integer()),
  importing: Type.Optional(ImportProgress),
  message: Type.Optional(Type.String({ description: 'Why it failed.' })),
  addedId: Type.Optional(Type.String({ description: 'Id under which it was installed.' })),
});
export type Download = Static<typeof Download>;

export const DownloadList = named('DownloadList', { downloads: Type.Array(Download) });
export type DownloadList = Static<typeof DownloadList>;
