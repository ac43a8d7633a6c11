/** Where the results of a finished batch lie. It is pure. */
import { folderOf } from '../options/destination.ts';

interface PlacedPhoto {
  readonly record?: { readonly savedTo?: string } | undefined;
}

const isSaved = ({ record }: PlacedPhoto) => record?.savedTo !== undefined;

/** Returns how many photos have a version in a folder, and that folder where all of them do. */
export function batchFolder<Photo extends PlacedPhoto>(
  done: readonly Photo[],
  versionsOf: (photo: Photo) => readonly PlacedPhoto[],
): { landed: number; folder: string | undefined } {
  const landed = done.filter((photo) => versionsOf(photo).some(isSaved)).length;
  const savedTo = done.find(isSaved)?.record?.savedTo;
  const isWhole = savedTo !== undefined && landed === done.length;
  return { landed, folder: isWhole ? folderOf(savedTo) : undefined };
}
