/** Pictures that a client sends as URL or base64. Errors use the client's field name. */
import { EnlargerError } from '../../contract/src/errors.ts';
import type { Pictures, ReceivedPicture } from './pictures.ts';
import { FieldRefused } from './refusal.ts';

/**
 * http:, https: and data: URLs.
 * @throws FieldRefused for local files and uploads, which are for clients of the service's own API
 */
export const pictureOfUrl = (
  url: string,
  field: string,
  pictures: Pictures,
): Promise<ReceivedPicture> => accepted(url, field, 'imageUrl', () => pictures.receiveUrl(url));

/** The same for a background picture. */
export const backgroundOfUrl = (url: string, field: string, pictures: Pictures): Promise<string> =>
  accepted(url, field, 'backgroundImage', () => pictures.acceptBackground(url));

/** @param ownName name of the field in the service's own API */
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

/** With or without the head of a data: URL. @throws FieldRefused for anything but base64 */
export async function pictureOfBase64(
  text: string,
  field: string,
  pictures: Pictures,
): Promise<ReceivedPicture> {
  try {
    return await pictures.receiveBase64(text);
  } catch (thrown) {
    if (thrown instanceof EnlargerError && thrown.code === 'INVALID_REQUEST')
      throw new FieldRefused(field, `Expected ${field} to be the base64 of a picture's file.`);
    throw thrown;
  }
}
