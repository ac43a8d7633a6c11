/** Takes pictures that a client names by a URL or sends as base64. */
import { EnlargerError } from '../../contract/errors.ts';
import { decodeDataUrl, isDataUrl } from '../sources/data-url.ts';
import type { TaskSource } from '../store/tasks/task.ts';
import type { BackgroundIntake } from '../sources/background-intake.ts';
import type { SourceIntake } from '../sources/stored-source.ts';
import { FieldRefused } from './refusal.ts';
import type { DataFiles } from '../sources/data-files.ts';
import type { StagedImages } from '../sources/staged-images.ts';
import type { LiveSettings } from '../settings/live-settings.ts';

export interface Base64Deps {
  dataFiles: DataFiles;
  stagedImages: StagedImages;
  settings: Pick<LiveSettings, 'get'>;
}

/**
 * Accepts a picture by its http:, https: or data: URL. Files of this machine and uploads are refused with
 * FieldRefused, because they are for clients of the service's own API.
 */
export const sourceOfUrl = (
  url: string,
  field: string,
  { intake }: { intake: Pick<SourceIntake, 'accept'> },
): Promise<TaskSource> => accepted(url, field, 'imageUrl', () => intake.accept(url));

/** Accepts the picture behind the subject in the same way. */
export const backgroundOfUrl = (
  url: string,
  field: string,
  backgrounds: Pick<BackgroundIntake, 'accept'>,
): Promise<string> => accepted(url, field, 'backgroundImage', () => backgrounds.accept(url));

/**
 * Calls `accept` for a URL of an allowed kind. A refusal names the field as the client does.
 * @param ownName the field's name in the service's own API
 */
async function accepted<T>(
  url: string,
  field: string,
  ownName: string,
  accept: () => Promise<T>,
): Promise<T> {
  if (!/^(https?:\/\/|data:)/i.test(url.trim()))
    throw new FieldRefused(field, `Expected ${field} to be an http: or https: URL.`);
  try {
    return await accept();
  } catch (thrown) {
    if (thrown instanceof EnlargerError && thrown.code === 'INVALID_REQUEST')
      throw new FieldRefused(field, thrown.message.replaceAll(ownName, field));
    throw thrown;
  }
}

/** Accepts base64 with or without the head of a data: URL. It throws FieldRefused for text that is no base64. */
export async function sourceOfBase64(
  text: string,
  field: string,
  { dataFiles, stagedImages, settings }: Base64Deps,
): Promise<TaskSource> {
  const { maxSourceBytes } = settings.get();
  const held = refusingFor(field, () => stagedImages.take(text));
  if (held) return dataFiles.adopt(held, maxSourceBytes);
  const url = isDataUrl(text) ? text : `data:;base64,${text}`;
  return dataFiles.write(
    refusingFor(field, () => decodeDataUrl(url)),
    maxSourceBytes,
  );
}

function refusingFor<T>(field: string, work: () => T): T {
  try {
    return work();
  } catch (cause) {
    if (!(cause instanceof EnlargerError)) throw cause;
    throw new FieldRefused(field, `Expected ${field} to be the base64 of a picture's file.`);
  }
}
