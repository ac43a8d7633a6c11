/** Generates a photo-like picture for comparing devices: smooth areas, texture and edges. */

/** Hash of a grid point, 0..1. */
function noiseAt(x: number, y: number): number {
  let h = (x * 374761393 + y * 668265263) | 0;
  h = Math.imul(h ^ (h >>> 13), 1274126177);
  return ((h ^ (h >>> 16)) >>> 0) / 2 ** 32;
}

const ease = (t: number) => t * t * (3 - 2 * t);

/** Value noise of one wavelength, 0..1, interpolated with a smoothstep. */
function smoothNoise(x: number, y: number, wavelength: number): number {
  const u = x / wavelength;
  const v = y / wavelength;
  const i = Math.floor(u);
  const j = Math.floor(v);
  const a = ease(u - i);
  const b = ease(v - j);
  const top = noiseAt(i, j) * (1 - a) + noiseAt(i + 1, j) * a;
  const bottom = noiseAt(i, j + 1) * (1 - a) + noiseAt(i + 1, j + 1) * a;
  return top * (1 - b) + bottom * b;
}

/** Stripes 40 wide with a period of 97, and edges about two pixels wide, as from a lens. */
function edgeAt(phase: number): number {
  const inside = Math.min(phase, 40 - phase) / 7 + 0.5;
  return Math.min(Math.max(inside, 0), 1);
}

/** Wavelengths in pixels, each of half the weight of the one before. */
const wavelengths = [64, 24, 9, 4];
const tintWavelength = 48;

function brightnessAt(x: number, y: number): number {
  let sum = 0;
  for (let k = 0; k < wavelengths.length; k += 1)
    sum += smoothNoise(x + 100 * k, y, wavelengths[k] as number) / 2 ** k;
  return sum;
}

/** 8-bit RGB, interleaved. */
export function samplePicture(width: number, height: number): Uint8Array {
  const samples = new Uint8Array(width * height * 3);
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      const base = brightnessAt(x, y);
      const edge = 30 * edgeAt((x * 3 + y * 2) % 97);
      for (let band = 0; band < 3; band += 1) {
        const tint = 24 * smoothNoise(x + 1000 * (band + 1), y, tintWavelength);
        samples[(y * width + x) * 3 + band] = Math.min(255, 20 + 90 * base + edge + tint);
      }
    }
  }
  return samples;
}
