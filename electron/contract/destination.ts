/** Where results are saved, as `saveTo` says it: a folder, beside the photo, or in a subfolder there. Pure. */

/** A `saveTo` that means the folder in which the photo lies. */
export const besidePhoto = '.';

/** The longest name that file systems take is 255 bytes. */
const mostNameLetters = 100;
// Control characters are what this looks for.
const unfit = /[<>:"/\\|?*\p{Cc}\p{Cf}\p{Cs}]/u;

/** Whether it is one folder's name that every system takes. */
export function isFolderName(name: string): boolean {
  return (
    name.trim() === name &&
    name !== '' &&
    name.length <= mostNameLetters &&
    !/^\.+$|\.$/.test(name) &&
    !unfit.test(name)
  );
}

/** A `saveTo` that means a folder of this name beside the photo. */
export const inSubfolder = (name: string): string => `${besidePhoto}/${name}`;

/** Whether it is told from where the photo lies. */
export const isBesidePhoto = (saveTo: string): boolean => /^\.(\/|$)/.test(saveTo);

/** The subfolder's name, '' for the photo's own folder; undefined where it is neither. */
export function subfolderIn(saveTo: string): string | undefined {
  if (saveTo === besidePhoto) return '';
  const name = saveTo.slice(2);
  return saveTo.startsWith('./') && isFolderName(name) ? name : undefined;
}
