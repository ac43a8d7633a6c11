/**
 * Photos added in the page, not necessarily started. Stored by the service, so that a reload or crash loses
 * none. Tasks of one photo are its versions and carry its id.
 */
import { Type, type Static } from 'typebox';
import { closed, named, Timestamp } from './common.ts';
import { Choices } from './settings/page.ts';
import { PhotoId } from './request.ts';

export const AddedPhoto = named('AddedPhoto', {
  photo: PhotoId,
  name: Type.String({ maxLength: 255 }),
  imageUrl: Type.String({ minLength: 1, maxLength: 16_384 }),
  choices: Type.Partial(Choices, { additionalProperties: false }),
  isReady: Type.Boolean({
    description: 'True while the photo waits to be started; false once a task was submitted.',
  }),
  addedAt: Timestamp,
});
export type AddedPhoto = Static<typeof AddedPhoto>;

export const AddedPhotos = named('AddedPhotos', { photos: Type.Array(AddedPhoto) });
export type AddedPhotos = Static<typeof AddedPhotos>;

/** Known photos are replaced. */
export const AddPhotosBody = named('AddPhotosBody', {
  photos: Type.Array(
    closed({
      photo: PhotoId,
      name: AddedPhoto.properties.name,
      imageUrl: AddedPhoto.properties.imageUrl,
      choices: AddedPhoto.properties.choices,
      isReady: Type.Optional(Type.Boolean({ default: true })),
      addedAt: Type.Optional(
        Type.String({
          description:
            'ISO 8601: when it was added in the page, which lists photos in this order. Absent: as before, or now.',
        }),
      ),
    }),
    { minItems: 1, maxItems: 1000 },
  ),
});
export type AddPhotosBody = Static<typeof AddPhotosBody>;

export const DropPhotosBody = named('DropPhotosBody', {
  photos: Type.Array(PhotoId, { minItems: 1, maxItems: 1000 }),
});
export type DropPhotosBody = Static<typeof DropPhotosBody>;
