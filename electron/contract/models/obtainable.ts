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

export const ObtainableModel = named('ObtainableModel', {
  id: Type.String({ pattern: '^[a-z0-9][a-z0-9-]*$' }),
  name: Type.String(),
  description: Type.String(),
  task: oneOf(operations),
  licence: Type.String({ description: "The publisher's licence for the weights." }),
  author: Type.String(),
  trainingData: Type.String({ description: 'What is known about the training data.' }),
  homepage: Type.String(),
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

export const hasEnded = ({ state }: Download): boolean =>
  state !== 'fetching' && state !== 'importing';

export const DownloadList = named('DownloadList', { downloads: Type.Array(Download) });
export type DownloadList = Static<typeof DownloadList>;
