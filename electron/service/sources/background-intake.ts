/**
 * Accepts background pictures; a task's options keep their URL. Bytes become an upload, kept as long as a
 * task needs it, at least an hour.
 */
import { createReadStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pathToFileURL } from 'node:url';
import type { Settings } from '../../../packages/contract/src/settings/settings.ts';
import { EnlargerError } from '../../../packages/contract/src/errors.ts';
import { assertGrantedFile } from '../../../packages/files/src/granted.ts';
import type { TaskSource } from '../store/tasks/task.ts';
import { parseImageUrl, uploadIdOf, uploadUrl } from './image-url.ts';
import type { StagedImages } from './staged-images.ts';
import type { Uploads } from './uploads.ts';

export interface BackgroundIntake {
  /**
   * Returns the URL that the task's options store.
   * @param grants paths the task may read in addition to the settings'
   * @throws EnlargerError INVALID_REQUEST, FORBIDDEN_PATH, PAYLOAD_TOO_LARGE or STORAGE_FULL
   */
  accept(url: string, grants?: readonly string[]): Promise<string>;
  /** Copies a file of the service into an upload and returns its URL. */
  addFile(path: string): Promise<string>;
  /** @throws EnlargerError SOURCE_UNREACHABLE for an upload that is gone */
  sourceOf(url: string): TaskSource;
  /** Deletes an upload at once unless a task needs it. */
  release(url: string): Promise<void>;
}

/** Any port will do: uploads are found by id. */
const base = 'http://127.0.0.1';

export function createBackgroundIntake(
  uploads: Uploads,
  stagedImages: Pick<StagedImages, 'take'>,
  settings: () => Pick<Settings, 'grantedFolders' | 'maxSourceBytes'>,
): BackgroundIntake {
  const hasUpload = (uploadId: string) => uploads.get(uploadId) !== undefined;
  const parse = (url: string) => parseImageUrl(url, { port: 0, hasUpload });
  const receive = async (chunks: AsyncIterable<Uint8Array>) => {
    const maxBytes = settings().maxSourceBytes;
    const { uploadId } = await uploads.receive(chunks, { name: 'background', maxBytes });
    return uploadUrl(base, uploadId);
  };
  const takeOver = async (path: string) => {
    try {
      return await receive(createReadStream(path));
    } finally {
      await rm(path);
    }
  };
  return {
    async accept(url, grants = []) {
      const staged = stagedImages.take(url);
      if (staged) return takeOver(staged.path);
      assertUploadExists(url, hasUpload);
      const source = withFieldName(() => parse(url));
      if (source.kind === 'data') return receive(Readable.from([source.bytes]));
      if (source.kind === 'upload') return uploadUrl(base, source.uploadId);
      if (source.kind === 'url') return source.url;
      const granted = [...settings().grantedFolders, ...grants];
      return pathToFileURL(await assertGrantedFile(source.path, granted)).href;
    },
    addFile: (path) => receive(createReadStream(path)),
    sourceOf(url) {
      const uploadId = uploadIdOf(url);
      const row = uploadId === undefined ? undefined : uploads.get(uploadId);
      if (uploadId !== undefined && row === undefined)
        throw new EnlargerError(
          'SOURCE_UNREACHABLE',
          'The background picture was uploaded and is no longer kept: upload it again.',
        );
      if (row) return { kind: 'upload', path: row.path, name: row.name, uploadId: row.uploadId };
      const source = parse(url);
      if (source.kind === 'url' || source.kind === 'file') return source;
      throw new Error(`A background picture was stored as ${source.kind}.`);
    },
    async release(url) {
      const uploadId = uploadIdOf(url);
      if (uploadId !== undefined) await uploads.remove(uploadId);
    },
  };
}

function assertUploadExists(url: string, hasUpload: (uploadId: string) => boolean): void {
  const uploadId = uploadIdOf(url.trim());
  if (uploadId === undefined || hasUpload(uploadId)) return;
  throw new EnlargerError(
    'INVALID_REQUEST',
    'Expected backgroundImage to be an upload that is still kept, but this one is gone or never was: upload it again.',
  );
}

/** Renames the field in errors to backgroundImage. */
function withFieldName<T>(read: () => T): T {
  try {
    return read();
  } catch (thrown) {
    if (!(thrown instanceof EnlargerError)) throw thrown;
    const message = thrown.message.replaceAll('imageUrl', 'backgroundImage');
    throw new EnlargerError(thrown.code, message, { cause: thrown });
  }
}
