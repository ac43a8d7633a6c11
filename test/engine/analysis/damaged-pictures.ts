/** Pictures whose damage is known: made from numbers, then noised and compressed here. */
import sharp from 'sharp';
import type { Raster } from '../../../electron/engine/raster/raster-file.ts';
import type { Pixels } from '../../support/images.ts';

/** Generator of pseudo-random numbers in 0..1, the same at every run (mulberry32). */
export function chance(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Draws from a normal distribution with a deviation of 1 (Box and Muller). */
export const normal = (random: () => number) =>
  Math.sqrt(-2 * Math.log(random() + 1e-12)) * Math.cos(2 * Math.PI * random());

const defaultSidePx = 232;

const scenes = new Map<string, Pixels>();

/**
 * Soft ground, a few discs with hard edges, and a strip of fine texture over a quarter of the picture; drawn once, so
 * not to be changed.
 */
export function scene(seed: number, sidePx = defaultSidePx): Pixels {
  const name = `${seed} ${sidePx}`;
  const drawn = scenes.get(name) ?? drawScene(seed, sidePx);
  scenes.set(name, drawn);
  return drawn;
}

function drawScene(seed: number, sidePx: number): Pixels {
  const random = chance(seed);
  const waves = Array.from({ length: 6 }, () => ({
    x: (random() - 0.5) / 25,
    y: (random() - 0.5) / 25,
    turn: random() * 6,
    height: 8 + random() * 14,
  }));
  const discs = Array.from({ length: 5 }, () => ({
    x: random() * sidePx,
    y: random() * sidePx,
    radius: 10 + random() * 35,
    level: (random() - 0.5) * 90,
  }));
  const tint = [random(), random(), random()] as const;
  const data = new Uint8Array(sidePx * sidePx * 3);
  for (let y = 0; y < sidePx; y += 1)
    for (let x = 0; x < sidePx; x += 1) {
      let level = 125;
      for (const w of waves) level += w.height * Math.sin(w.x * x + w.y * y + w.turn);
      for (const d of discs) if ((x - d.x) ** 2 + (y - d.y) ** 2 < d.radius ** 2) level += d.level;
      if (x > sidePx * 0.75) level += (random() - 0.5) * 60;
      for (let c = 0; c < tint.length; c += 1)
        data[(y * sidePx + x) * 3 + c] = Math.min(
          Math.max(level * (0.7 + 0.5 * (tint[c] as number)), 2),
          253,
        );
    }
  return { data, width: sidePx, height: sidePx, channels: 3 };
}

/** Rounded and clipped to 8 bits. */
const toLevel = (value: number) => Math.min(Math.max(Math.round(value), 0), 255);

const draws = new Map<number, Float64Array>();

/** Draws of a seed from a normal distribution, which take longer than adding them: kept, as many as were asked for. */
function drawsOf(seed: number, count: number): Float64Array {
  const known = draws.get(seed);
  if (known && known.length >= count) return known;
  const random = chance(seed);
  const drawn = new Float64Array(count);
  for (let i = 0; i < count; i += 1) drawn[i] = normal(random);
  draws.set(seed, drawn);
  return drawn;
}

/** Adds white noise of a standard deviation in levels, equally strong in each colour. */
export function withNoise(picture: Pixels, deviation: number, seed = 1): Pixels {
  const drawn = drawsOf(seed, picture.data.length);
  const data = new Uint8Array(picture.data.length);
  for (let i = 0; i < data.length; i += 1)
    data[i] = toLevel((picture.data[i] as number) + deviation * drawn[i]!);
  return { ...picture, data };
}

/** Adds white noise that all colours share. */
export function withNoiseOfLight(picture: Pixels, deviation: number, seed = 1): Pixels {
  const { channels } = picture;
  const random = chance(seed);
  const data = new Uint8Array(picture.data.length);
  for (let first = 0; first < data.length; first += channels) {
    const level = deviation * normal(random);
    for (let i = first; i < first + channels; i += 1)
      data[i] = toLevel((picture.data[i] as number) + level);
  }
  return { ...picture, data };
}

/** Draws one slope all over, which has much more of the lowest frequencies than noise has. */
export function steep(sidePx = 96): Pixels {
  const level = (at: number) => 20 + 2.2 * (at % sidePx);
  const data = Uint8Array.from({ length: sidePx * sidePx * 3 }, (_, i) => level(Math.floor(i / 3)));
  return { data, width: sidePx, height: sidePx, channels: 3 };
}

/**
 * Draws texture as of fur or grass all over, the same in each colour, stronger in some places than in others.
 */
export function withTexture(picture: Pixels, seed: number): Pixels {
  const random = chance(seed + 100);
  const { width, height, channels } = picture;
  const field = new Float32Array(width * height);
  for (let at = 0; at < field.length; at += 1) {
    const [x, y] = [at % width, Math.floor(at / width)];
    const beside = x > 0 ? field[at - 1]! : 0;
    const above = y > 0 ? field[at - width]! : 0;
    const strength = 6 + 4 * Math.sin(x / 13) * Math.sin(y / 11);
    field[at] = 0.5 * beside + 0.4 * above + strength * normal(random);
  }
  const data = picture.data.map((value, i) =>
    Math.min(Math.max(Math.round(value + field[Math.floor(i / channels)]!), 0), 255),
  );
  return { ...picture, data };
}

export const encoded = ({ data, width, height, channels }: Pixels) =>
  sharp(data, { raw: { width, height, channels } });

/** Decodes a file of a lossy format. */
export async function decoded(file: Buffer): Promise<Pixels> {
  const { data, info } = await sharp(file).raw().toBuffer({ resolveWithObject: true });
  return { data, width: info.width, height: info.height, channels: 3 };
}

/** Wraps a picture in the interface by which rasters are read. */
export function inMemory({
  data,
  width,
  height,
  channels,
}: Pixels): Pick<Raster, 'shape' | 'readRect'> {
  const bits = data instanceof Uint16Array ? 16 : 8;
  return {
    shape: { width, height, bands: channels, bits },
    readRect(rect, into, offset, stride) {
      for (let row = 0; row < rect.height; row += 1) {
        const from = ((rect.y + row) * width + rect.x) * channels;
        into.set(data.subarray(from, from + rect.width * channels), offset + row * stride);
      }
    },
  };
}
