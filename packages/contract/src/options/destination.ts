/** `saveTo`: an absolute folder, the photo's folder, or a subfolder of it. Pure. */

/** `saveTo` for the photo's own folder. */
export const besidePhoto = '.';

/** File systems allow names of at most 255 bytes. */
const maxNameLength = 100;
// Matches control characters too.
const unfit = /[<>:"/\\|?*\p{Cc}\p{Cf}\p{Cs}]/u;

/** True for a single folder name that is valid on every system. */
export function isFolderName(name: string): boolean {
  return (
    name.trim() === name &&
    name !== '' &&
    name.length <= maxNameLength &&
    !/^\.+$|\.$/.test(name) &&
    !unfit.test(name)
  );
}

/** `saveTo` for a subfolder of the photo's folder. */
export const inSubfolder = (name: string): string => `${besidePhoto}/${name}`;

/** True if the folder depends on the photo's. */
export const isBesidePhoto = (saveTo: string): boolean => /^\.(\/|$)/.test(saveTo);

/** Name of the subfolder, '' for the photo's own folder; undefined for an absolute or malformed `saveTo`. */
export function subfolderIn(saveTo: string): string | undefined {
  if (saveTo === besidePhoto) return '';
  const name = saveTo.slice(2);
  return saveTo.startsWith('./') && isFolderName(name) ? name : undefined;
}
