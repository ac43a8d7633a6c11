/** How much of a texture is left, by the energy of its high frequencies, and a sheet of crops at 100 % to look at. */
import { existsSync, globSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';
import type { NetworkFile } from '../../electron/engine/protocol.ts';
import { readPixels, type Pixels } from '../support/images.ts';
import { photographs } from '../support/shared.ts';
import { printTable } from './bench-pictures.ts';
import { bicubic, fineEnergy } from './quality-measures.ts';

const cropPx = 256;
const scale = 2;
const pictures = 20;
/** What cameras and editors write most. */
const qualities = [92, 85, 75, 90];
const sheetPath = 'test-results/quality-sheet.png';

type Enlarged = (file: string, network: NetworkFile) => Promise<Pixels>;

/** Prints the share of the truth's energy that is left, and writes the sheet: the truth, bicubic, each model. */
export async function measureTextures(
  networks: readonly NetworkFile[],
  models: readonly string[],
  enlarged: Enlarged,
  scratch: string,
): Promise<void> {
  if (!existsSync(photographs)) {
    process.stderr.write('Without the shared photographs there are no textures to measure.\n');
    return;
  }
  const names = globSync('*.jpg', { cwd: photographs }).toSorted();
  const step = names.length / pictures;
  const chosen = Array.from({ length: pictures }, (_, i) => names[Math.floor(i * step)] ?? '');
  const rows: string[][] = [];
  const tiles: { input: Buffer; left: number; top: number }[] = [];
  for (const [row, name] of chosen.entries()) {
    const truth = await cropOf(join(photographs, name));
    const file = join(scratch, `texture-${row}.jpg`);
    writeFileSync(file, await reducedJpeg(truth, qualities[row % qualities.length] ?? 85));
    const results = [truth, bicubic(await readPixels(file), scale)];
    for (const model of models) {
      const network = networks.find((one) => one.modelId === model && one.scale === scale);
      if (network) results.push(await enlarged(file, network));
    }
    const whole = fineEnergy(truth);
    rows.push([name, ...results.slice(1).map((one) => (fineEnergy(one) / whole).toFixed(2))]);
    for (const [column, one] of results.entries())
      tiles.push({ input: await pngOf(one), left: column * cropPx, top: row * cropPx });
  }
  printTable(['high frequencies of the truth', 'bicubic', ...models], rows);
  mkdirSync('test-results', { recursive: true });
  await sharp({
    create: {
      width: (models.length + 2) * cropPx,
      height: pictures * cropPx,
      channels: 3,
      background: 'white',
    },
  })
    .composite(tiles)
    .png()
    .toFile(sheetPath);
  process.stdout.write(
    `${sheetPath}: truth, bicubic, ${models.join(', ')}; ${pictures} JPEGs at 100 %\n`,
  );
}

/** The middle of a photograph, sharp at 100 %. */
async function cropOf(path: string): Promise<Pixels> {
  const { width, height } = await sharp(path).metadata();
  const { data, info } = await sharp(path)
    .extract({
      left: Math.floor((width - cropPx) / 2),
      top: Math.floor((height - cropPx) / 2),
      width: cropPx,
      height: cropPx,
    })
    .toColourspace('srgb')
    .removeAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  return { data, width: info.width, height: info.height, channels: 3 };
}

const opened = ({ data, width, height, channels }: Pixels) =>
  sharp(data, { raw: { width, height, channels } });

const reducedJpeg = (picture: Pixels, quality: number) =>
  opened(picture)
    .resize({ width: cropPx / scale, height: cropPx / scale, kernel: 'cubic' })
    .jpeg({ quality })
    .toBuffer();

const pngOf = (picture: Pixels) => opened(picture).png().toBuffer();
