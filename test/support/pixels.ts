/** Compares pictures by their numbers. */
import type { Pixels } from './images.ts';

/** Differences in levels of 255, whatever the depth. Throws when the sizes differ. */
export function differenceOf(a: Pixels, b: Pixels): { most: number; mean: number } {
  const sizes = [a, b].map((p) => `${p.width} x ${p.height} x ${p.channels}`);
  if (sizes[0] !== sizes[1]) throw new Error(`Sizes differ: ${sizes.join(' and ')}`);
  const level = (p: Pixels) => (p.data instanceof Uint16Array ? 257 : 1);
  let most = 0;
  let sum = 0;
  for (let i = 0; i < a.data.length; i += 1) {
    const difference = Math.abs(a.data[i]! / level(a) - b.data[i]! / level(b));
    most = Math.max(most, difference);
    sum += difference;
  }
  return { most, mean: sum / a.data.length };
}

/** Each pixel as a square of `scale` x `scale`. */
export function repeated({ data, width, height, channels }: Pixels, scale: number): Pixels {
  const wide = width * scale;
  const samples = data.slice(0, 0);
  const Samples = samples.constructor as new (length: number) => Uint8Array | Uint16Array;
  const out = new Samples(wide * height * scale * channels);
  for (let i = 0; i < out.length; i += 1) {
    const c = i % channels;
    const x = Math.floor(i / channels) % wide;
    const y = Math.floor(i / channels / wide);
    const from = (Math.floor(y / scale) * width + Math.floor(x / scale)) * channels + c;
    out[i] = data[from]!;
  }
  return { data: out, width: wide, height: height * scale, channels };
}
