/** Writes animated PNGs of known frames, without the code that is tested. */
import { crc32 } from 'node:zlib';
import sharp from 'sharp';

export interface TestFrame {
  /** RGBA of 8 or 16 bits. */
  pixels: Uint8Array | Uint16Array;
  x: number;
  y: number;
  width: number;
  height: number;
  delayMs: number;
  disposal?: 'keep' | 'clear' | 'restore';
  isOver?: boolean;
}

interface TestAnimation {
  width: number;
  height: number;
  /** 0 for ever. */
  plays: number;
  frames: readonly TestFrame[];
  /** Pixels of a default picture that is no frame. */
  cover?: Uint8Array;
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  return Buffer.concat([words(data.length), body, words(crc32(body))]);
}

const words = (...values: number[]) =>
  Buffer.concat(
    values.map((value) => {
      const four = Buffer.alloc(4);
      four.writeUInt32BE(value);
      return four;
    }),
  );

/** Chunks of a PNG by name, its pixels as one. */
async function pngOf({ pixels, width, height }: Pick<TestFrame, 'pixels' | 'width' | 'height'>) {
  const isDeep = pixels instanceof Uint16Array;
  const picture = sharp(pixels, { raw: { width, height, channels: 4 } });
  const file = await (isDeep ? picture.toColourspace('rgb16') : picture).png().toBuffer();
  const chunks = new Map<string, Buffer>();
  for (let at = 8; at < file.length;) {
    const length = file.readUInt32BE(at);
    const type = file.toString('latin1', at + 4, at + 8);
    const data = file.subarray(at + 8, at + 8 + length);
    chunks.set(type, Buffer.concat([chunks.get(type) ?? Buffer.alloc(0), data]));
    at += 12 + length;
  }
  return { header: chunks.get('IHDR')!, data: chunks.get('IDAT')! };
}

const disposals = ['keep', 'clear', 'restore'];

export async function apngOf({ width, height, plays, frames, cover }: TestAnimation) {
  const parts: Buffer[] = [];
  let sequence = 0;
  const whole = await pngOf({ pixels: cover ?? frames[0]!.pixels, width, height });
  parts.push(Buffer.from('89504e470d0a1a0a', 'hex'), chunk('IHDR', whole.header));
  parts.push(chunk('acTL', words(frames.length, plays)));
  if (cover) parts.push(chunk('IDAT', whole.data));
  for (const [i, frame] of frames.entries()) {
    const times = Buffer.alloc(6);
    times.writeUInt16BE(frame.delayMs, 0);
    times.writeUInt16BE(1000, 2);
    times[4] = disposals.indexOf(frame.disposal ?? 'keep');
    times[5] = frame.isOver ? 1 : 0;
    const place = words(sequence++, frame.width, frame.height, frame.x, frame.y);
    parts.push(chunk('fcTL', Buffer.concat([place, times])));
    const { data } = await pngOf(frame);
    if (i === 0 && !cover) parts.push(chunk('IDAT', data));
    else parts.push(chunk('fdAT', Buffer.concat([words(sequence++), data])));
  }
  parts.push(chunk('IEND', Buffer.alloc(0)));
  return Buffer.concat(parts);
}
