/**
 * How much of a texture is left, by the energy of its high frequencies, and a sheet of crops at 100 % to look at.
 * Two shares each: of all that the truth holds, half of which no photo of half the size can tell, and of what
 * the photo itself held before it became a JPEG (the result reduced to its size again).
 */
import { existsSync, globSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { NetworkFile } from '../../electron/engine/protocol/messages.ts';
import { readPixels, type Pixels } from '../support/images.ts';
import { photographs } from '../support/shared.ts';
import { printTable } from './bench-pictures.ts';
import { cropPx, cut, opened, pixelsOf, reduced, scale, writeSheet } from './quality-crops.ts';
import { bicubic, fineEnergy, lumaOf } from './quality-measures.ts';

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
  const rows: string[][] = [];
  const sheet: Pixels[][] = [];
  for (const [row, { name, left, top }] of (await strongestTexture()).entries()) {
    const photo = await opened(join(photographs, name));
    const at = { left, top, width: cropPx, height: cropPx };
    const truth = await cut(photo, at);
    const quality = qualities[row % qualities.length] ?? 85;
    const ways = [
      { file: join(scratch, `texture-${row}.png`), bytes: await reduced(photo).png().toBuffer() },
      {
        file: join(scratch, `texture-${row}.jpg`),
        bytes: await reduced(photo).jpeg({ quality }).toBuffer(),
      },
    ];
    const own = {
      left: left / scale,
      top: top / scale,
      width: cropPx / scale,
      height: cropPx / scale,
    };
    const truths = [fineEnergy(truth), fineEnergy(await cut(await pixelsOf(reduced(photo)), own))];
    const energies: string[] = [];
    for (const { file, bytes } of ways) {
      writeFileSync(file, bytes);
      const results = [truth, await cut(bicubic(await readPixels(file), scale), at)];
      for (const model of models) {
        const network = networks.find((one) => one.modelId === model && one.scale === scale);
        if (network) results.push(await cut(await enlarged(file, network), at));
      }
      for (const one of results.slice(1)) {
        const smaller = await pixelsOf(reduced(one));
        energies.push(
          [one, smaller].map((it, i) => (fineEnergy(it) / (truths[i] ?? 1)).toFixed(2)).join(' '),
        );
      }
      if (file.endsWith('.jpg')) sheet.push(results);
    }
    rows.push([
      name,
      ...energies.slice(0, models.length + 1),
      String(quality),
      ...energies.slice(models.length + 1),
    ]);
  }
  printTable(
    ['high frequencies of the truth', 'bicubic', ...models, 'as JPEG', 'bicubic', ...models],
    rows,
  );
  await writeSheet(sheetPath, sheet);
  process.stdout.write(
    `${sheetPath}: truth, bicubic, ${models.join(', ')}; ${pictures} JPEGs at 100 %\n`,
  );
}

interface Crop {
  name: string;
  left: number;
  top: number;
}

/** Of each photograph the place that is most evenly textured, and the photographs where it is so most. */
async function strongestTexture(): Promise<Crop[]> {
  const found: (Crop & { texture: number })[] = [];
  for (const name of globSync('*.jpg', { cwd: photographs }).toSorted()) {
    const { across, down, energies } = cellsOf(await opened(join(photographs, name)));
    let best = { name, left: 0, top: 0, texture: -1 };
    for (let y = 0; y + cropCells <= down; y += 1)
      for (let x = 0; x + cropCells <= across; x += 1) {
        const own = Array.from(
          { length: cropCells ** 2 },
          (_, i) => energies[(y + Math.floor(i / cropCells)) * across + x + (i % cropCells)] ?? 0,
        );
        // What is not texture all over has calm cells: the calmest but three tells.
        const texture = own.toSorted((a, b) => a - b)[3] ?? 0;
        if (texture > best.texture) best = { name, left: x * cellPx, top: y * cellPx, texture };
      }
    found.push(best);
  }
  return found.toSorted((a, b) => b.texture - a.texture).slice(0, pictures);
}

const cellPx = 64;
const cropCells = cropPx / cellPx;

/** The energy of high frequencies of each square of `cellPx`. */
function cellsOf(photo: Pixels): { across: number; down: number; energies: Float64Array } {
  const { width, height } = photo;
  const across = Math.floor(width / cellPx);
  const down = Math.floor(height / cellPx);
  const luma = Float32Array.from({ length: width * height }, (_, at) => lumaOf(photo, at));
  const energies = new Float64Array(across * down);
  for (let y = 1; y < down * cellPx - 1; y += 1)
    for (let x = 1; x < across * cellPx - 1; x += 1) {
      const at = y * width + x;
      const around =
        (luma[at - 1] ?? 0) +
        (luma[at + 1] ?? 0) +
        (luma[at - width] ?? 0) +
        (luma[at + width] ?? 0);
      const cell = Math.floor(y / cellPx) * across + Math.floor(x / cellPx);
      energies[cell] = (energies[cell] ?? 0) + ((luma[at] ?? 0) - around / 4) ** 2 / cellPx ** 2;
    }
  return { across, down, energies };
}
