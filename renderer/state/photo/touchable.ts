/** Decides whether a photo can be touched up: its result is done, and its source can be sent once more. */
import type { TaskOperation } from '../../../packages/contract/src/request.ts';
import type { IncomingFile, Photo } from './photo.svelte.ts';

/** The tool is left away where there is nothing for it yet, and says that a file is not kept any more. */
type TouchUpObstacle = 'nothing-done' | 'touchUpNoFile';

/** What decides whether a photo can be touched up. */
export type Touchable = Pick<Photo, 'name' | 'phase' | 'file' | 'source'> & {
  readonly choices: Pick<Photo['choices'], 'operation'>;
  readonly problem?: { readonly code: string } | undefined;
  readonly record?:
    | { readonly operation: TaskOperation; readonly source?: { readonly kept: boolean } }
    | undefined;
};

/** What the photo's task does, or will do. */
export const operationOf = (
  photo: Pick<Touchable, 'record' | 'choices'> | undefined,
): TaskOperation | undefined => photo?.record?.operation ?? photo?.choices.operation;

/** Returns why a photo cannot be touched up, or undefined where nothing is in the way. */
export function touchUpObstacle(photo: Touchable | undefined): TouchUpObstacle | undefined {
  const operation = operationOf(photo);
  if (photo === undefined || operation === undefined || operation === 'convert')
    return 'nothing-done';
  const isWithoutSubject =
    operation === 'remove-bg' && photo.phase === 'FAILED' && photo.problem?.code === 'NO_SUBJECT';
  if (photo.phase !== 'FINISHED' && !isWithoutSubject) return 'nothing-done';
  const isKept = photo.record?.source?.kept === true;
  return isKept || sourceAgain(photo) !== undefined ? undefined : 'touchUpNoFile';
}

/** Returns the source for one more task. An upload is none: it became the task's own, and ended with it. */
export function sourceAgain({
  name,
  file,
  source,
}: Pick<Touchable, 'name' | 'file' | 'source'>): IncomingFile | undefined {
  const onDisk = source?.uploadedAtMs === undefined ? source?.imageUrl : undefined;
  if (file === undefined && onDisk === undefined) return undefined;
  return { name, ...(file && { file }), ...(onDisk !== undefined && { imageUrl: onDisk }) };
}
