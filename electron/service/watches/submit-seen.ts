/** Submits a file of a watched folder as a task, once per size and modification time. */
import path from 'node:path';
import type { Settings } from '../../../packages/contract/src/settings/settings.ts';
import type { Operation } from '../../../packages/contract/src/request.ts';
import type { TaskOptions } from '../../../packages/contract/src/task.ts';
import { assertGrantedFile, makeGrantedFolder } from '../../../packages/files/src/granted.ts';
import { isInside } from '../../../packages/files/src/is-inside.ts';
import type { Store } from '../store/store.ts';
import type { WatchRow } from '../store/watches.ts';
import type { Tasks } from '../tasks/tasks.ts';
import type { StableFile } from './file-stability.ts';
import { pathInside } from './watch-rules.ts';
import { withGrants } from '../sources/stored-source.ts';

export interface SubmitSeenOptions {
  store: Store;
  tasks: Pick<Tasks, 'submit'>;
  settings(): Settings;
  /** Plans options as a submit with these grants does. */
  planOptions(
    operation: Operation,
    options: object,
    grants: readonly string[],
  ): Promise<TaskOptions>;
}

/** Throws what a submit throws; then the file is not recorded as seen. */
export async function submitSeen(
  { id: watchId, folder, saveTo, grants }: WatchRow,
  { file, sizeBytes, modifiedMs }: StableFile,
  options: SubmitSeenOptions,
): Promise<void> {
  const { store, tasks } = options;
  const watch = store.watches.get(watchId);
  const preset = watch && store.presets.get(watch.presetId);
  if (!preset) return;
  const seen = { watchId, path: pathInside(folder, file), sizeBytes, modifiedMs };
  const before = store.watches.seen(watchId, seen.path);
  if (before?.sizeBytes === sizeBytes && before.modifiedMs === modifiedMs) return;
  // A waiting task reads the file as it is by then.
  if (before?.taskId !== undefined && store.tasks.get(before.taskId)?.status === 'PENDING') {
    store.watches.noteSeen([{ ...before, ...seen }]);
    return;
  }
  if (isOwnResult(file, { id: watchId, folder }, store)) {
    // Noted, because the task that tells it from a photo is forgotten one day.
    store.watches.noteSeen([{ ...seen, presetId: preset.id }]);
    return;
  }
  const granted = [...options.settings().grantedFolders, ...grants];
  // Only folders below saveTo are created: saveTo itself may be on an unmounted disk.
  const below = path.dirname(seen.path).split(path.sep);
  const target = await makeGrantedFolder(
    saveTo,
    below.filter((name) => name !== '.'),
    granted,
  );
  const wanted = { ...preset.options, saveTo: target };
  const planned = await options.planOptions(preset.operation, wanted, grants);
  const filePath = await assertGrantedFile(file, granted);
  const source = { kind: 'file', path: filePath, watchId } as const;
  await tasks.submit({
    operation: preset.operation,
    source: withGrants(source, grants),
    options: planned,
    priority: preset.options.priority ?? 0,
    seen: { ...seen, presetId: preset.id },
  });
}

/**
 * True if the file is a result of a photo of the same folder, as one that was saved beside its original: it would be
 * processed again and again. Results of another watch may be meant for this one.
 */
function isOwnResult(
  file: string,
  { id, folder }: Pick<WatchRow, 'id' | 'folder'>,
  { tasks, watches }: SubmitSeenOptions['store'],
): boolean {
  const isOfPhotoHere = tasks
    .savedAt(file)
    .some(({ source }) => source.kind === 'file' && isInside(source.path, folder));
  return (
    isOfPhotoHere &&
    !watches.list().some((other) => other.id !== id && isInside(file, other.saveTo))
  );
}
