/**
 * Draws a photo with one subject on a soft background, as uncompressed TIFF, for measuring cut-outs. Pure.
 */

const shortType = 3;
const longType = 4;
const samples = 3;

/** Half width of head and shoulders at height `y`, both 0..1 of the picture. */
function halfWidthAt(y: number): number {
  const head = 0.09 * Math.sqrt(Math.max(0, 1 - ((y - 0.34) / 0.15) ** 2));
  const shoulders = 0.24 * Math.sqrt(Math.max(0, 1 - ((y - 0.95) / 0.45) ** 2));
  return Math.max(head, shoulders);
}

const grainOf = 4096;
/** Repeatable noise, 0..10. */
const grains = Float32Array.from(
  { length: grainOf },
  (_, i) => ((Math.imul(i + 1, 1274126177) >>> 8) % 1000) / 100,
);

/** Runs on the service's thread, so costly values are computed once per row or column. */
function drawInto(pixels: Uint8Array, width: number, height: number): void {
  const foldsAt = Float32Array.from({ length: width }, (_, x) => 24 * Math.sin(x / 17));
  for (let y = 0; y < height; y += 1) {
    const half = halfWidthAt(y / height) * width;
    const [from, to] = [width / 2 - half, width / 2 + half];
    const fold = Math.cos(y / 23);
    const shade = (40 * y) / height;
    for (let x = 0; x < width; x += 1) {
      const at = (y * width + x) * samples;
      const isIn = x > from && x < to;
      const grain = grains[(x * 7 + y * 613) % grainOf] ?? 0;
      const light = grain + (isIn ? fold * (foldsAt[x] ?? 0) : shade);
      pixels[at] = (isIn ? 205 : 40) + light;
      pixels[at + 1] = (isIn ? 150 : 70) + light;
      pixels[at + 2] = (isIn ? 120 : 60) + light;
    }
  }
}

/** A TIFF file: 8 bits, RGB, one strip. */
export function sampleSubject(width: number, height: number): Uint8Array {
  const sizeBytes = width * height * samples;
  const fields = [
    { tag: 256, type: longType, value: width },
    { tag: 257, type: longType, value: height },
    // BitsPerSample: three shorts behind the table.
    { tag: 258, type: shortType, count: samples, value: 0 },
    { tag: 259, type: shortType, value: 1 },
    { tag: 262, type: shortType, value: 2 },
    { tag: 273, type: longType, value: 0 },
    { tag: 277, type: shortType, value: samples },
    { tag: 278, type: longType, value: height },
    { tag: 279, type: longType, value: sizeBytes },
  ];
  const tableAt = 8;
  const bitsAt = tableAt + 2 + fields.length * 12 + 4;
  const pixelsAt = bitsAt + 2 * samples;
  const file = new Uint8Array(pixelsAt + sizeBytes);
  const view = new DataView(file.buffer);
  file.set([0x49, 0x49, 42, 0]);
  view.setUint32(4, tableAt, true);
  view.setUint16(tableAt, fields.length, true);
  for (const [i, { tag, type, count = 1, value }] of fields.entries()) {
    const at = tableAt + 2 + 12 * i;
    view.setUint16(at, tag, true);
    view.setUint16(at + 2, type, true);
    view.setUint32(at + 4, count, true);
    view.setUint32(at + 8, tag === 258 ? bitsAt : tag === 273 ? pixelsAt : value, true);
  }
  for (let i = 0; i < samples; i += 1) view.setUint16(bitsAt + 2 * i, 8, true);
  drawInto(file.subarray(pixelsAt), width, height);
  return file;
}
