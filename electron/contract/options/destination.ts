/** `saveTo` says where results are saved: in a folder, beside the photo, or in a subfolder there. All here is pure. */

/** This `saveTo` means the folder in which the photo lies. */
export const besidePhoto = '.';

/** File systems take names of at most 255 bytes. */
const mostNameLetters = 100;
// The expression looks for control characters, too.
const unfit = /[<>:"/\\|?*\p{Cc}\p{Cf}\p{Cs}]/u;

/** Tells whether a name is that of one folder and every system takes it. */
export function isFolderName(name: string): boolean {
  return (
    name.trim() === name &&
    name !== '' &&
    name.length <= mostNameLetters &&
    !/^\.+$|\.$/.test(name) &&
    !unfit.test(name)
  );
}

/** Makes the `saveTo` that means a folder of this name beside the photo. */
export const inSubfolder = (name: string): string => `${besidePhoto}/${name}`;

/** Tells whether the place follows from where the photo lies. */
export const isBesidePhoto = (saveTo: string): boolean => /^\.(\/|$)/.test(saveTo);

/** Answers the subfolder's name, or '' for the photo's own folder; undefined where `saveTo` is neither. */
export function subfolderIn(saveTo: string): string | undefined {
  if (saveTo === besidePhoto) return '';
  const name = saveTo.slice(2);
  return saveTo.startsWith('./') && isFolderName(name) ? name : undefined;
}
