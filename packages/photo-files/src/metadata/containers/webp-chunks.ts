/** Reads a WebP's chunks, and finds its first picture (RFC 9649). */
import type { TiffBytes } from '../../../../file-records/src/index.ts';

const maxChunks = 1000;

/** Yields the chunks in their order; `at` is where a chunk's data begin. */
export function* chunksOfWebp(bytes: TiffBytes): Generator<{ type: string; at: number }> {
  let at = 12;
  for (let i = 0; i < maxChunks; i += 1) {
    const head = bytes.read(at, 8);
    if (head.length < 8) return;
    const type = head.toString('latin1', 0, 4);
    yield { type, at: at + 8 };
    const size = head.readUInt32LE(4);
    // An animation frame has chunks of its own after 16 bytes.
    at += type === 'ANMF' ? 24 : 8 + size + (size % 2);
  }
}

/** Finds the first frame; `VP8L` is lossless. Undefined if there is none. */
export function firstFrameOf(bytes: TiffBytes): { kind: 'VP8L' | 'VP8 '; at: number } | undefined {
  for (const { type, at } of chunksOfWebp(bytes))
    if (type === 'VP8L' || type === 'VP8 ') return { kind: type, at };
  return undefined;
}
