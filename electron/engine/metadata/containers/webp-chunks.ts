/** Finds the first picture of a WebP file (RFC 9649). */
import type { TiffBytes } from '../../../files/tiff/tiff-directory.ts';

const mostChunks = 1000;

/** Finds the first frame, of which `VP8L` is the lossless kind. It is undefined where there is none. */
export function firstFrameOf(bytes: TiffBytes): { kind: 'VP8L' | 'VP8 '; at: number } | undefined {
  let at = 12;
  for (let i = 0; i < mostChunks; i += 1) {
    const head = bytes.read(at, 8);
    if (head.length < 8) return undefined;
    const kind = head.toString('latin1', 0, 4);
    if (kind === 'VP8L' || kind === 'VP8 ') return { kind, at: at + 8 };
    const size = head.readUInt32LE(4);
    // A frame of an animation holds chunks of its own behind 16 bytes.
    at += kind === 'ANMF' ? 24 : 8 + size + (size % 2);
  }
  return undefined;
}
