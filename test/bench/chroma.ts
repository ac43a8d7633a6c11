/**
 * How far the networks that ship change the tone of nearly neutral photos (toned scans): grey crops of photographs,
 * toned by a known curve, enlarged by each. `node test/bench/chroma.ts [CROPS]` prints the differences of red and
 * blue from green against those of the tone, in levels of 255, in flat and in fine areas, of the source, of bicubic
 * interpolation and of each network.
 */
import { readdirSync, writeFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import sharp from 'sharp';
import { createTestEngine } from '../support/engine.ts';
import { asSharp, readPixels, type Pixels } from '../support/images.ts';
import { embeddedNetworks } from '../support/networks.ts';
import { photographs } from '../support/shared.ts';
import { printTable } from './bench-pictures.ts';
import { bicubic } from './quality-measures.ts';

const cropPx = 96;
const crops = Number(process.argv[2] ?? 6);
/** What the mid-tones gain in red and blue over green, in levels. */
const tones = {
  neutral: [0, 0],
  'nearly neutral': [1, -1],
  paper: [3, -4],
  sepia: [14, -22],
  cyanotype: [-18, 24],
} as const;
type Tone = keyof typeof tones;
/** The standard deviation of 5 x 5 pixels of the source, in levels. */
const [flatBelow, fineFrom] = [1.5, 10];

/** A tone's difference at a level: nothing in black and white. */
const differenceAt = (most: number, level: number) => (4 * most * level * (255 - level)) / 255 ** 2;

function toned(grey: Uint8Array, tone: Tone): Pixels {
  const [red, blue] = tones[tone];
  const data = new Uint8Array(grey.length * 3);
  grey.forEach((level, i) => {
    data[3 * i] = Math.round(level + differenceAt(red, level));
    data[3 * i + 1] = level;
    data[3 * i + 2] = Math.round(level + differenceAt(blue, level));
  });
  return { data, width: cropPx, height: cropPx, channels: 3 };
}

type Area = 'flat' | 'fine';

/** The area of each pixel of a crop; undefined between the two. */
function areasOf(grey: Uint8Array): (Area | undefined)[] {
  return Array.from(grey, (_, i) => {
    const [x, y] = [i % cropPx, Math.floor(i / cropPx)];
    let [sum, squares, count] = [0, 0, 0];
    for (let dy = -2; dy <= 2; dy += 1)
      for (let dx = -2; dx <= 2; dx += 1) {
        if (x + dx < 0 || x + dx >= cropPx || y + dy < 0 || y + dy >= cropPx) continue;
        const level = grey[(y + dy) * cropPx + x + dx] ?? 0;
        sum += level;
        squares += level * level;
        count += 1;
      }
    const deviation = Math.sqrt(Math.max(0, squares / count - (sum / count) ** 2));
    return deviation < flatBelow ? 'flat' : deviation >= fineFrom ? 'fine' : undefined;
  });
}

/** Differences from the tone, by area. */
type Errors = Record<Area, number[]>;

function addErrors(errors: Errors, found: Pixels, areas: (Area | undefined)[], tone: Tone): void {
  const [red, blue] = tones[tone];
  const scale = found.width / cropPx;
  const levels = found.data instanceof Uint16Array ? 257 : 1;
  for (let y = 0; y < found.height; y += 1)
    for (let x = 0; x < found.width; x += 1) {
      const area = areas[Math.floor(y / scale) * cropPx + Math.floor(x / scale)];
      if (!area) continue;
      const at = (y * found.width + x) * found.channels;
      const step = found.channels < 3 ? 0 : 1;
      const [r = 0, g = 0, b = 0] = [0, step, 2 * step].map(
        (i) => (found.data[at + i] ?? 0) / levels,
      );
      const ofRed = Math.abs(r - g - differenceAt(red, g));
      const ofBlue = Math.abs(b - g - differenceAt(blue, g));
      errors[area].push(Math.max(ofRed, ofBlue));
    }
}

const photos = readdirSync(photographs)
  .filter((name) => extname(name) === '.jpg')
  .slice(0, crops);
const sources = await Promise.all(
  photos.map(async (name) => {
    const picture = sharp(join(photographs, name));
    const { width, height } = await picture.metadata();
    const place = { left: (width - cropPx) >> 1, top: (height - cropPx) >> 1 };
    const grey = await picture
      .extract({ ...place, width: cropPx, height: cropPx })
      .greyscale()
      .raw()
      .toBuffer();
    return { grey: new Uint8Array(grey), areas: areasOf(new Uint8Array(grey)) };
  }),
);

const engine = createTestEngine();
const networks = embeddedNetworks();
const rows: string[][] = [];
for (const tone of Object.keys(tones) as Tone[]) {
  const errors = new Map<string, Errors>();
  const of = (name: string) => {
    const found = errors.get(name) ?? { flat: [], fine: [] };
    errors.set(name, found);
    return found;
  };
  for (const { grey, areas } of sources) {
    const source = toned(grey, tone);
    const sourcePath = join(engine.dir, 'source.png');
    writeFileSync(sourcePath, await asSharp(source).png().toBuffer());
    addErrors(of('source'), source, areas, tone);
    addErrors(of('bicubic 2x'), bicubic(source, 2), areas, tone);
    addErrors(of('bicubic 4x'), bicubic(source, 4), areas, tone);
    for (const network of networks) {
      const { outputPath } = await engine.run({
        ...{ sourcePath, passes: [network] },
        format: 'png',
        formatChosen: true,
      });
      const name = `${network.modelId} ${network.scale}x`;
      addErrors(of(name), await readPixels(outputPath), areas, tone);
    }
  }
  for (const [name, found] of errors) {
    const shown = (['flat', 'fine'] as const).flatMap((area) => {
      const sorted = Float32Array.from(found[area]).sort();
      const mean = sorted.reduce((sum, value) => sum + value, 0) / sorted.length;
      const most99 = sorted[Math.floor(0.99 * (sorted.length - 1))] ?? 0;
      return [mean.toFixed(2), most99.toFixed(1)];
    });
    rows.push([tone, name, ...shown]);
  }
}
printTable(['tone', 'by', 'flat: mean', '99 of 100', 'fine: mean', '99 of 100'], rows);
await engine.close();
