/** Content types of what is published. */
const types: Record<string, { type: string; ext: string }> = {
  jpeg: { type: 'image/jpeg', ext: 'jpg' },
  png: { type: 'image/png', ext: 'png' },
  webp: { type: 'image/webp', ext: 'webp' },
  tiff: { type: 'image/tiff', ext: 'tif' },
  avif: { type: 'image/avif', ext: 'avif' },
  jxl: { type: 'image/jxl', ext: 'jxl' },
};

/** @param format a name as the engine's report gives it, such as 'jpeg' */
export function fileTypeOf(format: string): { type: string; ext: string } {
  return types[format] ?? { type: 'application/octet-stream', ext: 'bin' };
}

/** The format's name by the first bytes of a file; 'jpeg' when they say nothing. */
export function formatOfHead(head: Buffer): string {
  if (head.subarray(0, 4).toString('latin1') === '\x89PNG') return 'png';
  if (head.subarray(8, 12).toString('latin1') === 'WEBP') return 'webp';
  if (head.subarray(4, 12).toString('latin1') === 'ftypavif') return 'avif';
  return 'jpeg';
}
