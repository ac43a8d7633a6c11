/** Names that picture files have: what folders are searched for, and what the systems offer Enlarger for. */

/** In lower case, without the dot. A JPEG 2000 cannot be read, and its row says so. */
export const pictureEndings = [
  ...['jpg', 'jpeg', 'jpe', 'png', 'webp', 'tif', 'tiff', 'avif', 'gif', 'bmp', 'heic', 'heif'],
  ...['jxl', 'jp2', 'dng', 'cr2', 'cr3', 'nef', 'arw', 'orf', 'rw2', 'raf'],
] as const;

const ending = new RegExp(`\\.(${pictureEndings.join('|')})$`, 'i');

/** By its name alone. Names that begin with a dot are other programs' own, and our unfinished files. */
export function isPictureName(name: string): boolean {
  return !name.startsWith('.') && ending.test(name);
}
