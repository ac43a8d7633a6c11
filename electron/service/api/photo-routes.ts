/** Photos added in the page: add, drop, and list after a reload. */
import { Type } from 'typebox';
import { EnlargerError } from '../../../packages/contract/src/errors.ts';
import {
  AddedPhotos,
  AddPhotosBody,
  DropPhotosBody,
  type AddedPhoto,
} from '../../../packages/contract/src/photo.ts';
import { type Api, answers, ref } from '../../../packages/http/src/index.ts';
import type { PhotoRow } from '../store/photos.ts';
import type { ServiceClock } from '../timing/clock.ts';
import type { SourceIntake } from '../sources/stored-source.ts';
import type { Store } from '../store/store.ts';

export interface PhotoDeps {
  photos: Pick<Store['photos'], 'list' | 'put' | 'drop'>;
  intake: Pick<SourceIntake, 'check'>;
  clock: Pick<ServiceClock, 'wallMs' | 'nowMs'>;
}

const tags = ['photos'];

export function photoRoutes(app: Api, { photos, intake, clock }: PhotoDeps): void {
  app.get(
    '/api/photos',
    {
      schema: {
        tags,
        summary: 'List photos added in the page, started or not',
        response: answers({ 200: ref(AddedPhotos) }),
      },
    },
    () => ({ photos: photos.list().map(viewOf) }),
  );
  app.put(
    '/api/photos',
    {
      schema: {
        tags,
        summary: 'Add photos to the page, or change their options',
        description: 'An upload is stored as long as its photo.',
        body: ref(AddPhotosBody),
        response: answers({ 204: Type.Null() }, 'FORBIDDEN_PATH', 'STORAGE_FULL'),
      },
    },
    async ({ body }, reply) => {
      const times = { addedAt: clock.wallMs(), addedOn: clock.nowMs() };
      const rows: PhotoRow[] = [];
      for (const { isReady = true, addedAt, ...photo } of body.photos) {
        const { uploadId } = await intake.check(photo.imageUrl);
        rows.push({ ...photo, isReady, uploadId, ...times, placedAt: timeOf(addedAt) });
      }
      photos.put(rows);
      return reply.code(204).send(null);
    },
  );
  app.post(
    '/api/photos/drop',
    {
      schema: {
        tags,
        summary: 'Remove photos from the page; their tasks stay',
        description: 'The photos can be added again with the same upload for 60 seconds.',
        body: ref(DropPhotosBody),
        response: answers({ 204: Type.Null() }, 'STORAGE_FULL'),
      },
    },
    ({ body }, reply) => {
      photos.drop(body.photos, clock.nowMs());
      return reply.code(204).send(null);
    },
  );
}

/** @throws EnlargerError INVALID_REQUEST */
function timeOf(timestamp: string | undefined): number | undefined {
  const ms = timestamp === undefined ? undefined : Date.parse(timestamp);
  if (!Number.isNaN(ms)) return ms;
  throw new EnlargerError(
    'INVALID_REQUEST',
    `Expected addedAt to be an ISO 8601 time but received ${JSON.stringify(timestamp)}.`,
  );
}

function viewOf({ addedAt, photo, name, imageUrl, choices, isReady }: PhotoRow): AddedPhoto {
  return { photo, name, imageUrl, choices, isReady, addedAt: new Date(addedAt).toISOString() };
}
