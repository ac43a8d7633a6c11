/** Validates a submit's source and stores it as the row has it. */
import type { Settings } from '../../../packages/contract/src/settings/settings.ts';
import type { TaskSource } from '../store/tasks/task.ts';
import type { DataFiles } from './data-files.ts';
import { assertGrantedFile } from '../../../packages/files/src/granted.ts';
import type { StagedImages } from './staged-images.ts';
import { parseImageUrl } from './image-url.ts';
import type { Uploads } from './uploads.ts';

export interface SourceIntake {
  /**
   * A `data:` source is a file when this resolves; the caller discards it if no task is created.
   * @param grants paths the task may read and write in addition to the settings'
   * @throws EnlargerError INVALID_REQUEST, FORBIDDEN_PATH, PAYLOAD_TOO_LARGE or STORAGE_FULL
   */
  accept(imageUrl: string, grants?: readonly string[]): Promise<TaskSource>;
  /** Throws like accept() without storing anything. Returns the upload's id if it is one. */
  check(imageUrl: string): Promise<{ uploadId?: string }>;
  discard(source: TaskSource): Promise<void>;
}

interface SourceIntakeOptions {
  uploads: Uploads;
  dataFiles: DataFiles;
  stagedImages: StagedImages;
  port(): number;
  settings(): Pick<Settings, 'grantedFolders' | 'maxSourceBytes'>;
}

export function createSourceIntake(options: SourceIntakeOptions): SourceIntake {
  const { uploads, dataFiles, stagedImages } = options;
  const hasUpload = (uploadId: string) => uploads.get(uploadId) !== undefined;
  const accept = async (imageUrl: string, grants: readonly string[]): Promise<TaskSource> => {
    const staged = stagedImages.take(imageUrl);
    if (staged) return dataFiles.adopt(staged, options.settings().maxSourceBytes);
    const source = parseImageUrl(imageUrl, { port: options.port(), hasUpload });
    switch (source.kind) {
      case 'url':
        return source;
      case 'data':
        return dataFiles.write(source.bytes, options.settings().maxSourceBytes);
      case 'file': {
        const granted = [...options.settings().grantedFolders, ...grants];
        return { kind: 'file', path: await assertGrantedFile(source.path, granted) };
      }
      case 'upload':
        return storedUpload(uploads, source.uploadId);
    }
  };
  return {
    accept: async (imageUrl, grants = []) => withGrants(await accept(imageUrl, grants), grants),
    async check(imageUrl) {
      const source = parseImageUrl(imageUrl, { port: options.port(), hasUpload });
      if (source.kind === 'file')
        await assertGrantedFile(source.path, options.settings().grantedFolders);
      return source.kind === 'upload' ? { uploadId: source.uploadId } : {};
    },
    discard: (source) => dataFiles.discard(source),
  };
}

/** Adds the task's own grants. */
export const withGrants = (source: TaskSource, grants: readonly string[] = []): TaskSource =>
  grants.length === 0 ? source : { ...source, grants };

function storedUpload(uploads: Uploads, uploadId: string): TaskSource {
  const row = uploads.get(uploadId);
  if (row === undefined) throw new Error(`The upload ${uploadId} is gone.`);
  return { kind: 'upload', path: row.path, name: row.name, uploadId };
}
