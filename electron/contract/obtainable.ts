/** Models that can be had: who published them, on what terms, and where their files lie. models/obtainable.json is one of these. */
import { Type, type Static } from 'typebox';
import { oneOf } from './common.ts';
import { operations } from './submit.ts';

export const ObtainableFile = Type.Object(
  {
    name: Type.String({ pattern: '^[A-Za-z0-9._-]+$' }),
    sizeBytes: Type.Optional(Type.Integer({ minimum: 1 })),
    sha256: Type.Optional(
      Type.String({
        pattern: '^[0-9a-f]{64}$',
        description: 'Absent: not published; what the first download has is noted.',
      }),
    ),
    urls: Type.Array(Type.String(), { minItems: 1, description: 'Tried one after the other.' }),
  },
  { additionalProperties: false },
);
export type ObtainableFile = Static<typeof ObtainableFile>;

export const ObtainableModel = Type.Object(
  {
    id: Type.String({ pattern: '^[a-z0-9][a-z0-9-]*$' }),
    name: Type.String(),
    description: Type.String(),
    task: oneOf(operations),
    licence: Type.String({ description: "The publisher's, of the weights." }),
    author: Type.String(),
    trainingData: Type.String({ description: 'What is known of it.' }),
    homepage: Type.String(),
    memoryMegabytes: Type.Optional(Type.Integer({ minimum: 1 })),
    files: Type.Array(ObtainableFile, { minItems: 1 }),
  },
  { $id: 'ObtainableModel', additionalProperties: false },
);
export type ObtainableModel = Static<typeof ObtainableModel>;

export const ObtainableCatalogue = Type.Object(
  { models: Type.Array(ObtainableModel) },
  { $id: 'ObtainableCatalogue', additionalProperties: false },
);
export type ObtainableCatalogue = Static<typeof ObtainableCatalogue>;

export const downloadStates = ['fetching', 'importing', 'finished', 'failed', 'cancelled'] as const;

export const Download = Type.Object(
  {
    modelId: Type.String(),
    state: oneOf(downloadStates),
    receivedBytes: Type.Integer(),
    totalBytes: Type.Optional(Type.Integer()),
    message: Type.Optional(Type.String({ description: 'Why it failed.' })),
    addedId: Type.Optional(Type.String({ description: 'The id under which it is installed now.' })),
  },
  { $id: 'Download', additionalProperties: false },
);
export type Download = Static<typeof Download>;

export const DownloadList = Type.Object(
  { downloads: Type.Array(Download) },
  { $id: 'DownloadList', additionalProperties: false },
);
export type DownloadList = Static<typeof DownloadList>;
