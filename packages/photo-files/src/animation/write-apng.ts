/** Writes an animated PNG from PNG files of its frames (PNG specification, third edition, 11.3.6). */
import { closeSync, openSync, writeSync } from 'node:fs';
import type { Size } from '../../../contract/src/geometry.ts';
import { withFileBytes } from '../../../file-records/src/index.ts';
import { chunksIn, pngChunkBytes } from '../metadata/containers/png-chunks.ts';
import type { FrameTiming } from './frame-timing.ts';

interface ApngWriter {
  /** Appends a frame of the canvas' size; the first one's other chunks are those of the animation. */
  append(framePath: string): void;
  end(): void;
  close(): void;
}

const signatureBytes = 8;
const maxDelayMs = 65_535;

export function createApngWriter(
  path: string,
  { width, height }: Size,
  { delaysMs, plays }: FrameTiming,
): ApngWriter {
  const fd = openSync(path, 'w');
  let frames = 0;
  let sequence = 0;
  const write = (bytes: Buffer) => {
    for (let at = 0; at < bytes.length; at += writeSync(fd, bytes, at));
  };
  const chunk = (type: string, data: Buffer) => write(pngChunkBytes({ type, data }));

  /** The frame replaces the one before it. */
  function control(delayMs: number): Buffer {
    const data = Buffer.alloc(26);
    [sequence, width, height].forEach((value, i) => data.writeUInt32BE(value, 4 * i));
    data.writeUInt16BE(Math.min(maxDelayMs, Math.round(delayMs)), 20);
    data.writeUInt16BE(1000, 22);
    sequence += 1;
    return data;
  }

  function pixels(type: string, data: Buffer): void {
    if (frames === 0) {
      chunk(type, data);
      return;
    }
    const number = Buffer.alloc(4);
    number.writeUInt32BE(sequence);
    sequence += 1;
    chunk('fdAT', Buffer.concat([number, data]));
  }

  function begin(): void {
    const data = Buffer.alloc(8);
    data.writeUInt32BE(delaysMs.length, 0);
    data.writeUInt32BE(plays, 4);
    chunk('acTL', data);
  }

  return {
    append(framePath) {
      let isControlled = false;
      withFileBytes(framePath, (bytes) => {
        if (frames === 0) write(bytes.read(0, signatureBytes));
        for (const { type, at, length } of chunksIn(bytes, Infinity)) {
          const isPixels = type === 'IDAT';
          if (isPixels && !isControlled) {
            if (frames === 0) begin();
            chunk('fcTL', control(delaysMs[frames] ?? 0));
            isControlled = true;
          }
          if (isPixels) pixels(type, bytes.read(at, length));
          else if (frames === 0 && type !== 'IEND') chunk(type, bytes.read(at, length));
        }
      });
      frames += 1;
    },
    end: () => chunk('IEND', Buffer.alloc(0)),
    close: () => closeSync(fd),
  };
}
