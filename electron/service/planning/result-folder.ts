/** Folder of a result: an absolute one, or one relative to the photo's own. */
import path from 'node:path';
import { isBesidePhoto, subfolderIn } from '../../../packages/contract/src/options/destination.ts';
import { EnlargerError } from '../../../packages/contract/src/errors.ts';
import { assertGrantedFolder, makeGrantedFolder } from '../../../packages/files/src/granted.ts';
import type { UpscaleBody } from '../../../packages/contract/src/request.ts';
import { parseImageUrl } from '../sources/image-url.ts';
import type { TaskSource } from '../store/tasks/task.ts';

/** What the choice of the folder needs to know of the photo. */
export interface PhotoOrigin {
  /** Path of the photo; undefined for an upload, a URL etc. */
  path: string | undefined;
  /** Create a missing subfolder. */
  makesFolder: boolean;
  /** Paths that the task may write to, in addition to those of the settings. */
  grants?: readonly string[] | undefined;
}

/**
 * Origin of a task's photo for a caller, who need not be the one that submitted it: the task's grants are for those
 * who may grant paths themselves.
 */
export function originOf(
  source: TaskSource,
  { mayAdminister }: { mayAdminister: boolean },
): PhotoOrigin {
  const path = source.kind === 'file' ? source.path : undefined;
  return { path, makesFolder: true, grants: mayAdminister ? source.grants : undefined };
}

/**
 * Origin of a submit's photo before it is fetched.
 * @throws EnlargerError INVALID_REQUEST for a malformed file: URL
 */
export function originOfUrl(
  { imageUrl, grants }: Pick<UpscaleBody, 'imageUrl' | 'grants'>,
  port: number,
  makesFolder: boolean,
): PhotoOrigin {
  if (!/^\s*file:/i.test(imageUrl)) return { path: undefined, makesFolder, grants };
  const found = parseImageUrl(imageUrl, { port, hasUpload: () => false });
  return { path: found.kind === 'file' ? found.path : undefined, makesFolder, grants };
}

/**
 * Returns an absolute path; without a source, as in a preset, `saveTo` itself.
 * @throws EnlargerError FORBIDDEN_PATH, or INVALID_REQUEST if the photo has no folder
 */
export async function resultFolder(
  saveTo: string,
  fromSettings: readonly string[],
  source: PhotoOrigin | undefined,
): Promise<string> {
  const grantedFolders = [...fromSettings, ...(source?.grants ?? [])];
  const expected = `Expected saveTo to be the absolute path of a granted folder, '.' for the photo's own folder or './name' for one in it, but received ${JSON.stringify(saveTo)}.`;
  if (!isBesidePhoto(saveTo)) {
    if (!path.isAbsolute(saveTo)) throw new EnlargerError('FORBIDDEN_PATH', expected);
    return assertGrantedFolder(saveTo, grantedFolders);
  }
  const subfolder = subfolderIn(saveTo);
  if (subfolder === undefined) throw new EnlargerError('INVALID_REQUEST', expected);
  if (source === undefined) return saveTo;
  if (source.path === undefined)
    throw new EnlargerError(
      'INVALID_REQUEST',
      `Expected saveTo to be a folder, because this photo is not read from one, but received ${JSON.stringify(saveTo)}. Name a granted folder.`,
    );
  const folder = path.dirname(source.path);
  const own = await assertGrantedFolder(folder, grantedFolders);
  if (subfolder === '') return own;
  if (!source.makesFolder) return path.join(own, subfolder);
  return makeGrantedFolder(folder, [subfolder], grantedFolders);
}
