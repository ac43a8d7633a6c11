/**
 * What a person sees of ordinary JPEGs: the most detailed place of each of the 20 photographs that no training saw,
 * saved as cameras, editors, pages and messengers save, enlarged 2x with all settings as they are.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { NetworkFile } from '../../electron/engine/protocol/messages.ts';
import { readPixels, type Pixels } from '../support/images.ts';
import { photographs } from '../support/shared.ts';
import { cropPx, cut, opened, rawOf, scale, writeSheet } from './quality-crops.ts';
import { bicubic, fineEnergy } from './quality-measures.ts';

const listPath = 'models/training/data.tsv';
const sheetPath = 'test-results/quality-ordinary.png';
/** In turn; below 90 with colour at half the resolution. */
const qualities = [92, 85, 75, 60];
const sidePx = cropPx / scale;

/** Writes the sheet: bicubic, each model; a row a photograph. */
export async function drawOrdinary(
  networks: readonly NetworkFile[],
  models: readonly string[],
  enlarged: (file: string, network: NetworkFile) => Promise<Pixels>,
  scratch: string,
): Promise<void> {
  const names = heldBack().filter((name) => existsSync(pathOf(name)));
  if (names.length === 0) {
    process.stderr.write('Without the shared photographs there is no sheet of ordinary JPEGs.\n');
    return;
  }
  const rows: Pixels[][] = [];
  for (const [row, name] of names.entries()) {
    const quality = qualities[row % qualities.length] ?? 85;
    const file = join(scratch, `ordinary-${row}.jpg`);
    const chromaSubsampling = quality < 90 ? '4:2:0' : '4:4:4';
    const photo = await finestDetail(await opened(pathOf(name)));
    writeFileSync(file, await rawOf(photo).jpeg({ quality, chromaSubsampling }).toBuffer());
    const results = [bicubic(await readPixels(file), scale)];
    for (const model of models) {
      const network = networks.find((one) => one.modelId === model && one.scale === scale);
      if (network) results.push(await enlarged(file, network));
    }
    const middle = { left: cropPx / 2, top: cropPx / 2, width: cropPx, height: cropPx };
    rows.push(await Promise.all(results.map((one) => cut(one, middle))));
  }
  await writeSheet(sheetPath, rows);
  process.stdout.write(
    `${sheetPath}: bicubic, ${models.join(', ')}; ${rows.length} JPEGs of quality ${qualities.join(', ')} in turn\n`,
  );
}

/** The photographs that training left out. */
function heldBack(): string[] {
  const [, ...lines] = readFileSync(listPath, 'utf8').split('\n').filter(Boolean);
  return lines
    .map((line) => line.split('\t'))
    .flatMap(([name = '', ...fields]) => (fields.at(-1)?.trim() ? [name] : []));
}

const pathOf = (name: string) => join(`${photographs}-2`, name);

/** The place with most detail, at twice the side that is shown, so that its middle has surroundings. */
async function finestDetail(photo: Pixels): Promise<Pixels> {
  const side = 2 * sidePx;
  let best = { energy: -1, left: 0, top: 0 };
  for (let top = 0; top + side <= photo.height; top += sidePx)
    for (let left = 0; left + side <= photo.width; left += sidePx) {
      const at = { left: left + sidePx / 2, top: top + sidePx / 2, width: sidePx, height: sidePx };
      const energy = fineEnergy(await cut(photo, at));
      if (energy > best.energy) best = { energy, left, top };
    }
  return cut(photo, { left: best.left, top: best.top, width: side, height: side });
}
