/** POST /api/thumbnails: a small picture of a source, before anything is queued. */
import { Thumbnail, ThumbnailBody, usualThumbnailPx } from '../../contract/picture.ts';
import type { Api, ApiDeps } from '../http/deps.ts';
import { answers, ref } from '../http/schemas.ts';

export function thumbnailRoutes(app: Api, { intake, thumbnails }: ApiDeps): void {
  app.post(
    '/api/thumbnails',
    {
      schema: {
        tags: ['tasks'],
        summary: 'A small picture of a source, before anything is queued',
        body: ref(ThumbnailBody),
        response: answers(
          { 200: ref(Thumbnail) },
          'INVALID_REQUEST',
          'FORBIDDEN_PATH',
          'NOT_FOUND',
          'PAYLOAD_TOO_LARGE',
          'STORAGE_FULL',
        ),
      },
    },
    async ({ body: { imageUrl, sidePx = usualThumbnailPx } }) => {
      const source = await intake.accept(imageUrl);
      return thumbnails.make(source, sidePx).finally(() => intake.discard(source));
    },
  );
}
