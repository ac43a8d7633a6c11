/** Local folders and files of the command line. */
import { openAsBlob } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { NamedBlob } from '../../api-client/src/task-calls.ts';
import { hasCode } from '../../files/src/file-errors.ts';
import { fileReason } from './error-message.ts';
import { t } from './text.ts';
import { makeLevels } from '../../files/src/make-levels.ts';

/** Creates a folder if missing. @throws Error a sentence */
export function makeFolder(folder: string): void {
  try {
    makeLevels(path.resolve(folder));
  } catch (error) {
    const why = hasCode(error, ['EEXIST']) ? t('a file of that name is there.') : fileReason(error);
    throw new Error(t('The folder {folder} cannot be made: {reason}', { folder, reason: why }), {
      cause: error,
    });
  }
}

/** Streamed when sent, never in memory as a whole. */
export const openNamedBlob = async (file: string): Promise<NamedBlob> => ({
  blob: await openAsBlob(file),
  name: path.basename(file),
});

/** UTF-8. @throws Error a sentence */
export const readText = (file: string): Promise<string> =>
  readFile(file, 'utf8').catch((error: unknown) => {
    throw new Error(t('{file} cannot be read: {reason}', { file, reason: fileReason(error) }), {
      cause: error,
    });
  });
