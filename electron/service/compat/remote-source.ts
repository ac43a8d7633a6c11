/** Pictures that a client names by an address or sends as text. */
import { EnlargerError } from '../../contract/errors.ts';
import type { ApiDeps } from '../http/deps.ts';
import { decodeDataUrl, isDataUrl } from '../sources/data-url.ts';
import type { StoredSource } from '../store/stored-task.ts';
import { FieldRefused } from './refusal.ts';

/** Only what lies elsewhere: files of this machine and uploads are for clients of the service's own API. */
export async function sourceOfUrl(
  url: string,
  field: string,
  { intake }: Pick<ApiDeps, 'intake'>,
): Promise<StoredSource> {
  if (!/^(https?:\/\/|data:)/i.test(url.trim()))
    throw new FieldRefused(field, `Expected ${field} to be an http: or https: URL.`);
  try {
    return await intake.accept(url);
  } catch (thrown) {
    if (thrown instanceof EnlargerError && thrown.code === 'INVALID_REQUEST')
      throw new FieldRefused(field, thrown.message.replaceAll('imageUrl', field));
    throw thrown;
  }
}

/** Base64 with or without the head of a data: URL. */
export async function sourceOfBase64(
  text: string,
  field: string,
  { dataFiles, settings }: Pick<ApiDeps, 'dataFiles' | 'settings'>,
): Promise<StoredSource> {
  const bytes = bytesOf(text, field);
  return dataFiles.write(bytes, settings.get().maxSourceBytes);
}

function bytesOf(text: string, field: string): Buffer {
  try {
    return decodeDataUrl(isDataUrl(text) ? text : `data:;base64,${text}`);
  } catch (cause) {
    if (!(cause instanceof EnlargerError)) throw cause;
    throw new FieldRefused(field, `Expected ${field} to be the base64 of a picture's file.`);
  }
}
