/** Generates a photo-like picture for comparing devices: smooth areas, texture and edges. */

/** Hash of a grid point, 0..1. */
function noiseAt(x: number, y: number): number {
  let h = (x * 374761393 + y * 668265263) | 0;
  h = Math.imul(h ^ (h >>> 13), 1274126177);
  return ((h ^ (h >>> 16)) >>> 0) / 2 ** 32;
}

/** Value noise of one wavelength, 0..1, interpolated with a smoothstep. */
function smoothNoise(x: number, y: number, wavelength: number): number {
  const u = x / wavelength;
  const v = y / wavelength;
  const i = Math.floor(u);
  const j = Math.floor(v);
  const ease = (t: number) => t * t * (3 - 2 * t);
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

/** 8-bit RGB, interleaved. */
export function samplePicture(width: number, height: number): Uint8Array {
  const samples = new Uint8Array(width * height * 3);
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      const base = [64, 24, 9, 4].reduce(
        (sum, wavelength, k) => sum + smoothNoise(x + 100 * k, y, wavelength) / 2 ** k,
        0,
      );
      const edge = 30 * edgeAt((x * 3 + y * 2) % 97);
      for (let band = 0; band < 3; band += 1) {
        const tint = 24 * smoothNoise(x + 1000 * (band + 1), y, 48);
        samples[(y * width + x) * 3 + band] = Math.min(255, 20 + 90 * base + edge + tint);
      }
    }
  }
  return samples;
}
