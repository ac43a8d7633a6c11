/**
 * Photos that were added in the page, with their uploads. A photo that has no version and is not ready is
 * deleted.
 */
import type { AddedPhoto } from '../../../packages/contract/src/photo.ts';
import { inTransaction, runWrite, type SqliteConnection } from './connection.ts';
import { type Columns, readObject, rowOf } from './columns.ts';

export type PhotoRow = Omit<AddedPhoto, 'addedAt'> & {
  uploadId?: string | undefined;
  /** Wall clock, milliseconds. */
  addedAt: number;
  /** Replaces `addedAt`, also of a known photo. */
  placedAt?: number | undefined;
  /** Service clock, milliseconds. */
  addedOn: number;
};

export interface PhotoTable {
  /** In order of addition. */
  list(): PhotoRow[];
  /** Stores all or none. Known photos are replaced and keep their time. */
  put(photos: readonly PhotoRow[]): void;
  /** Drops photos; their uploads stay for a while. */
  drop(photos: readonly string[], nowOn: number): void;
  /** Called when a task of the photo is submitted. */
  noteStarted(photo: string): void;
  /** Deletes photos that were dropped up to `droppedBy`, added up to `addedBy`, or have lost all versions. */
  sweep(times: { droppedBy: number; addedBy: number }): void;
}

/** Row form: `choices` is JSON, `isReady` 0 or 1. */
type PhotoColumns = Columns<Omit<PhotoRow, 'choices' | 'isReady' | 'placedAt'>> & {
  choices: string;
  isReady: number;
};

export function createPhotoTable(db: SqliteConnection): PhotoTable {
  const list = db.prepare<[], PhotoColumns>(
    `SELECT photo, name, image_url AS imageUrl, upload_id AS uploadId, choices, is_ready AS isReady,
       added_at AS addedAt, added_on AS addedOn
     FROM photos WHERE dropped_on IS NULL ORDER BY added_on, photo`,
  );
  const put = db.prepare<[object]>(
    `INSERT INTO photos (photo, name, image_url, upload_id, choices, is_ready, added_at, added_on)
     VALUES (@photo, @name, @imageUrl, @uploadId, @choices, @isReady, coalesce(@placedAt, @addedAt), @addedOn)
     ON CONFLICT (photo) DO UPDATE SET name = excluded.name, image_url = excluded.image_url,
       added_at = coalesce(@placedAt, added_at), upload_id = excluded.upload_id, choices = excluded.choices, is_ready = excluded.is_ready,
       dropped_on = NULL`,
  );
  const drop = db.prepare<[object]>('UPDATE photos SET dropped_on = @nowOn WHERE photo = @photo');
  const noteStarted = db.prepare<[string]>('UPDATE photos SET is_ready = 0 WHERE photo = ?');
  const sweep = db.prepare<[object]>(
    `DELETE FROM photos WHERE dropped_on <= @droppedBy OR added_on <= @addedBy
       OR (is_ready = 0
         AND NOT EXISTS (SELECT 1 FROM tasks WHERE tasks.photo = photos.photo AND swept = 0)
         AND NOT EXISTS (SELECT 1 FROM removed_tasks AS r WHERE r.row ->> 'photo' = photos.photo))`,
  );
  return {
    list: () => list.all().map(toPhotoRow),
    put: (photos) =>
      runWrite(() =>
        inTransaction(db, () => {
          for (const { choices, isReady, uploadId, placedAt, ...photo } of photos)
            put.run({
              ...photo,
              uploadId: uploadId ?? null,
              placedAt: placedAt ?? null,
              choices: JSON.stringify(choices),
              isReady: Number(isReady),
            });
        }),
      ),
    drop: (photos, nowOn) =>
      runWrite(() =>
        inTransaction(db, () => {
          for (const photo of photos) drop.run({ photo, nowOn });
        }),
      ),
    noteStarted: (photo) => void runWrite(() => noteStarted.run(photo)),
    sweep: (times) => void runWrite(() => sweep.run(times)),
  };
}

function toPhotoRow({ choices, isReady, ...row }: PhotoColumns): PhotoRow {
  return rowOf<Omit<PhotoRow, 'placedAt'>>({
    ...row,
    choices: readObject(choices) ?? {},
    isReady: isReady === 1,
  });
}
