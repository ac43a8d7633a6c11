/** Whether a WebP's picture is of the lossless kind, by its chunks. */
import { withFileBytes } from '../metadata/tiff/tiff-directory.ts';

const mostChunks = 1000;

export function isLosslessWebp(path: string): boolean {
  return withFileBytes(path, (bytes) => {
    let at = 12;
    for (let i = 0; i < mostChunks; i += 1) {
      const head = bytes.read(at, 8);
      if (head.length < 8) return false;
      const kind = head.toString('latin1', 0, 4);
      if (kind === 'VP8L' || kind === 'VP8 ') return kind === 'VP8L';
      const size = head.readUInt32LE(4);
      // A frame of an animation holds chunks of its own behind 16 bytes.
      at += kind === 'ANMF' ? 24 : 8 + size + (size % 2);
    }
    return false;
  });
}
