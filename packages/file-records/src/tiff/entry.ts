/** Entries of TIFF directories (TIFF 6.0, EXIF 3.0). */

export interface ExifEntry {
  tag: number;
  /** TIFF field type, 1 to 13, or 129 for text in UTF-8 (EXIF 3.0). */
  type: number;
  count: number;
  /** In the byte order of the model. */
  bytes: Buffer;
}

const bytesOfType = [0, 1, 1, 2, 4, 8, 1, 1, 2, 4, 8, 4, 8, 4, 0, 0, 8, 8, 8];

export const asciiType = 2;
export const utf8Type = 129;

/** Bytes per value; 0 for an unknown type. */
export const typeBytes = (type: number): number =>
  type === utf8Type ? 1 : (bytesOfType[type] ?? 0);
