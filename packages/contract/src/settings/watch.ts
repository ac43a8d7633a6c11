/** Watched folders: new files are submitted with a preset. */
import { Type, type Static } from 'typebox';
import { closed, named, oneOf, Timestamp } from '../common.ts';

const Folder = (description: string) => Type.String({ minLength: 1, maxLength: 4096, description });

const watchChoices = {
  presetId: Type.String({ minLength: 1, maxLength: 100 }),
  saveTo: Folder(
    'A granted folder for the results, in the same subfolders. Inside the watched folder it is left out of the watch.',
  ),
  recursive: Type.Boolean({ default: true, description: 'Whether subfolders are watched too.' }),
  enabled: Type.Boolean({ default: true }),
};

const watchStates = ['watching', 'paused', 'unavailable'] as const;
export const WatchState = oneOf(watchStates, {
  description:
    "'unavailable': a folder is gone (unmounted, say); the watch goes on when it is back.",
});
export type WatchState = (typeof watchStates)[number];

export const WatchCounts = closed({
  seen: Type.Integer({ description: 'Number of pictures submitted.' }),
  finished: Type.Integer(),
  failed: Type.Integer({ description: 'Without those that were cancelled.' }),
  cancelled: Type.Integer(),
});
export type WatchCounts = Static<typeof WatchCounts>;

export const Watch = named('Watch', {
  id: Type.String(),
  folder: Type.String(),
  ...watchChoices,
  createdAt: Timestamp,
  state: WatchState,
  message: Type.Optional(
    Type.String({ description: 'What keeps the watch from working, and what to do.' }),
  ),
  counts: WatchCounts,
});
export type Watch = Static<typeof Watch>;

export const WatchList = named('WatchList', {
  watches: Type.Array(Watch, { description: 'In order of creation.' }),
});
export type WatchList = Static<typeof WatchList>;

const Grants = Type.Array(Folder('An absolute path.'), {
  maxItems: 10,
  description:
    'Folders that this watch and its tasks may read and write in addition to the granted ones, until it is deleted. Requires a key that may change settings.',
});

export const WatchBody = named('WatchBody', {
  folder: Folder('A granted folder.'),
  presetId: watchChoices.presetId,
  saveTo: watchChoices.saveTo,
  recursive: Type.Optional(watchChoices.recursive),
  enabled: Type.Optional(watchChoices.enabled),
  existing: Type.Optional(
    Type.Boolean({
      default: true,
      description: 'Whether pictures already in the folder are processed, too.',
    }),
  ),
  grants: Type.Optional(Grants),
});
export type WatchBody = Static<typeof WatchBody>;

/** Applies to files that arrive later; submitted ones are not processed again. A new saveTo needs a grant again. */
export const WatchPatch = Type.Partial(Type.Object({ ...watchChoices, grants: Grants }), {
  $id: 'WatchPatch',
  additionalProperties: false,
  minProperties: 1,
});
export type WatchPatch = Static<typeof WatchPatch>;
