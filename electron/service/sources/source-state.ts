/** Where the source of a task is. */
import type { Task } from '../store/tasks/task.ts';
import type { Uploads } from './uploads.ts';

/** `local`: a file on this machine; `remote`: has to be fetched; `gone`: given up when its task ended. */
export type SourceState = 'local' | 'remote' | 'gone';

/** Tasks of one photo share its upload, which is there until the last of them gives it up. */
export function sourceStateOf(
  { source, holdsSource }: Pick<Task, 'source' | 'holdsSource'>,
  uploads: Pick<Uploads, 'get'>,
): SourceState {
  if (source.kind === 'file') return 'local';
  if (source.kind === 'url') return 'remote';
  const { uploadId } = source;
  const isThere = uploadId === undefined ? holdsSource : uploads.get(uploadId) !== undefined;
  return isThere ? 'local' : 'gone';
}
