/** Pure. */
import path from 'node:path';

/** True if `inner` is `folder` or lies in it; both are real paths. */
export function isInside(inner: string, folder: string, paths: path.PlatformPath = path): boolean {
  const way = paths.relative(folder, inner);
  return way === '' || !(way === '..' || way.startsWith(`..${paths.sep}`) || paths.isAbsolute(way));
}
