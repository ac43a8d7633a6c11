/** Compares pictures by their numbers. */
import type { Pixels } from './images.ts';

/** Differences in levels of 255, whatever the depth. Throws when the sizes differ. */
export function differenceOf(a: Pixels, b: Pixels): { most: number; mean: number } {
  const sizes = [a, b].map((p) => `${p.width} x ${p.height} x ${p.channels}`);
  if (sizes[0] !== sizes[1]) throw new Error(`Sizes differ: ${sizes.join(' and ')}`);
  const [own, other] = [a, b].map((p) => (p.data instanceof Uint16Array ? 257 : 1)) as [
    number,
    number,
  ];
  let most = 0;
  let sum = 0;
  for (let i = 0; i < a.data.length; i += 1) {
    const difference = Math.abs((a.data[i] as number) / own - (b.data[i] as number) / other);
    if (difference > most) most = difference;
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
  const rowLength = wide * channels;
  for (let y = 0; y < height; y += 1) {
    const first = y * scale * rowLength;
    for (let i = 0; i < rowLength; i += 1) {
      const pixel = Math.floor(i / channels);
      const from = (y * width + Math.floor(pixel / scale)) * channels + (i % channels);
      out[first + i] = data[from] as number;
    }
    for (let copy = 1; copy < scale; copy += 1)
      out.copyWithin(first + copy * rowLength, first, first + rowLength);
  }
  return { data: out, width: wide, height: height * scale, channels };
}
