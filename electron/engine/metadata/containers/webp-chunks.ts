/** Finds the first picture of a WebP file (RFC 9649). */
import type { TiffBytes } from '../../../files/tiff/tiff-directory.ts';

const maxChunks = 1000;

/** Finds the first frame; `VP8L` is lossless. Undefined if there is none. */
export function firstFrameOf(bytes: TiffBytes): { kind: 'VP8L' | 'VP8 '; at: number } | undefined {
  let at = 12;
  for (let i = 0; i < maxChunks; i += 1) {
    const head = bytes.read(at, 8);
    if (head.length < 8) return undefined;
    const kind = head.toString('latin1', 0, 4);
    if (kind === 'VP8L' || kind === 'VP8 ') return { kind, at: at + 8 };
    const size = head.readUInt32LE(4);
    // An animation frame has chunks of its own after 16 bytes.
    at += kind === 'ANMF' ? 24 : 8 + size + (size % 2);
  }
  return undefined;
}
