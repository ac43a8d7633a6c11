/** What `bench:quality` measures of results, and the baseline that they are held against. */
import type { Pixels } from '../support/images.ts';

/** BT.601 luma, 16..235, as published tables use it. */
export function lumaOf({ data, channels }: Pixels, at: number): number {
  const red = at * channels;
  const step = channels < 3 ? 0 : 1;
  const [r, g, b] = [data[red], data[red + step], data[red + 2 * step]];
  return 16 + (65.481 * (r ?? 0) + 128.553 * (g ?? 0) + 24.966 * (b ?? 0)) / 255;
}

/** Decibels of the luma, a border of so many pixels cut. */
export function psnrOfLuma(a: Pixels, b: Pixels, border: number): number {
  const width = Math.min(a.width, b.width);
  const height = Math.min(a.height, b.height);
  let sum = 0;
  for (let y = border; y < height - border; y += 1) {
    for (let x = border; x < width - border; x += 1) {
      sum += (lumaOf(a, y * a.width + x) - lumaOf(b, y * b.width + x)) ** 2;
    }
  }
  const mean = sum / ((width - 2 * border) * (height - 2 * border));
  return 10 * Math.log10(255 ** 2 / mean);
}

/** Mean square of what the luma's Laplacian of 4 neighbours finds: the energy of high frequencies. */
export function fineEnergy(picture: Pixels): number {
  const { width, height } = picture;
  let sum = 0;
  for (let y = 1; y < height - 1; y += 1)
    for (let x = 1; x < width - 1; x += 1) {
      const at = y * width + x;
      const around = [at - 1, at + 1, at - width, at + width];
      const mean = around.reduce((total, place) => total + lumaOf(picture, place), 0) / 4;
      sum += (lumaOf(picture, at) - mean) ** 2;
    }
  return sum / ((width - 2) * (height - 2));
}

/** Keys' cubic with a = -1/2. */
function keys(distance: number): number {
  const d = Math.abs(distance);
  if (d < 1) return 1.5 * d ** 3 - 2.5 * d ** 2 + 1;
  return d < 2 ? -0.5 * d ** 3 + 2.5 * d ** 2 - 4 * d + 2 : 0;
}

/** Bicubic interpolation, the border repeated. */
export function bicubic(picture: Pixels, scale: number): Pixels {
  return turned(widened(turned(widened(picture, scale)), scale));
}

/** Rows become columns. */
function turned({ data, width, height, channels }: Pixels): Pixels {
  const out = new Uint8Array(data.length);
  for (let y = 0; y < height; y += 1)
    for (let x = 0; x < width; x += 1)
      for (let c = 0; c < channels; c += 1)
        out[(x * height + y) * channels + c] = data[(y * width + x) * channels + c] ?? 0;
  return { data: out, width: height, height: width, channels };
}

function widened({ data, width, height, channels }: Pixels, scale: number): Pixels {
  const wide = width * scale;
  const out = new Uint8Array(wide * height * channels);
  for (let x = 0; x < wide; x += 1) {
    const centre = (x + 0.5) / scale - 0.5;
    const first = Math.floor(centre) - 1;
    const taps = [0, 1, 2, 3].map((k) => ({
      from: Math.min(Math.max(first + k, 0), width - 1) * channels,
      weight: keys(centre - first - k),
    }));
    for (let y = 0; y < height; y += 1)
      for (let c = 0; c < channels; c += 1) {
        let sum = 0;
        for (const { from, weight } of taps)
          sum += weight * (data[y * width * channels + from + c] ?? 0);
        out[(y * wide + x) * channels + c] = Math.min(Math.max(Math.round(sum), 0), 255);
      }
  }
  return { data: out, width: wide, height, channels };
}
