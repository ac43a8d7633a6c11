/**
 * Whether Detail invents: faces, letters, signs, fabrics and foliage, reduced by 4, one in two saved as a JPEG, and
 * enlarged again. A sheet to look at, beside the picture itself.
 */
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import sharp, { type Region } from 'sharp';
import { readPixels, type Pixels } from '../support/images.ts';
import { enlargingPairs, photographs } from '../support/shared.ts';
import { cropPx, cut, opened, rawOf, writeSheet } from './quality-crops.ts';
import { bicubic, fineEnergy, psnrOfLuma } from './quality-measures.ts';
import { printTable } from './bench-pictures.ts';

/** A way of enlarging 4x that is compared. */
export interface Column {
  name: string;
  enlarge: (file: string) => Promise<Pixels>;
}

const sheetPath = 'test-results/quality-detail.png';
const detailScale = 4;
const jpegQuality = 85;
/** At most so many pixels of the photograph around a crop are enlarged, too, and not shown. */
const aroundPx = 128;

const set14 = join(enlargingPairs, 'Set14', 'x2');
const heldBack = `${photographs}-2`;

/** The middle of each crop in pixels of its picture. No training saw any of these. */
const places: readonly [kind: string, folder: string, name: string, x: number, y: number][] = [
  ['face', heldBack, '0014.jpg', 360, 200],
  ['face', set14, 'img_002_SRF_2_HR.png', 500, 170],
  ['face', heldBack, '0538.jpg', 256, 170],
  ['face', heldBack, '0586.jpg', 400, 150],
  ['letters', set14, 'img_013_SRF_2_HR.png', 128, 330],
  ['letters', set14, 'img_013_SRF_2_HR.png', 370, 128],
  ['letters', heldBack, '0490.jpg', 256, 200],
  ['letters', heldBack, '0014.jpg', 250, 310],
  ['sign', heldBack, '0014.jpg', 920, 370],
  ['sign', set14, 'img_008_SRF_2_HR.png', 160, 110],
  ['sign', heldBack, '0370.jpg', 256, 256],
  ['sign', set14, 'img_013_SRF_2_HR.png', 400, 560],
  ['fabric', set14, 'img_002_SRF_2_HR.png', 470, 380],
  ['fabric', set14, 'img_002_SRF_2_HR.png', 128, 380],
  ['fabric', heldBack, '0014.jpg', 470, 520],
  ['fabric', heldBack, '0538.jpg', 150, 384],
  ['foliage', set14, 'img_007_SRF_2_HR.png', 250, 181],
  ['foliage', heldBack, '0014.jpg', 500, 100],
  ['foliage', heldBack, '0122.jpg', 550, 620],
  ['foliage', heldBack, '0466.jpg', 256, 400],
];

/** Writes the sheet, a row a place: bicubic, the columns, the picture; and prints figures of each. */
export async function drawDetail(columns: readonly Column[], scratch: string): Promise<void> {
  const rows: Pixels[][] = [];
  const figures: string[][] = [];
  for (const [n, [kind, folder, name, x, y]] of places.entries()) {
    const path = join(folder, name);
    if (!existsSync(path)) {
      process.stderr.write(`Without the shared pictures there is no sheet of Detail: ${path}\n`);
      return;
    }
    const { truth, shown } = await around(path, x, y);
    const file = join(scratch, `detail-${n}.${n % 2 === 0 ? 'png' : 'jpg'}`);
    writeFileSync(file, await reducedFile(truth, n % 2 === 0));
    const results = [bicubic(await readPixels(file), detailScale)];
    for (const { enlarge } of columns) results.push(await enlarge(file));
    const crops = await Promise.all([...results, truth].map((one) => cut(one, shown)));
    const own = crops.at(-1) as Pixels;
    rows.push(crops);
    const values = crops.slice(0, -1).map((crop) => {
      const share = fineEnergy(crop) / fineEnergy(own);
      return `${psnrOfLuma(crop, own, 0).toFixed(2)} ${share.toFixed(2)}`;
    });
    figures.push([kind, name, ...values]);
  }
  await writeSheet(sheetPath, rows);
  const names = columns.map(({ name }) => name);
  printTable(['of', 'picture', 'bicubic', ...names], figures);
  process.stdout.write(
    `${sheetPath}: bicubic, ${names.join(', ')}, the picture itself; every other row from a JPEG of quality ${jpegQuality}. PSNR in dB and the share of high frequencies above.\n`,
  );
}

/** The crop with what is around it, as far as the picture goes, and its place in that. */
async function around(
  path: string,
  x: number,
  y: number,
): Promise<{ truth: Pixels; shown: Region }> {
  const picture = await opened(path);
  const span = (middle: number, length: number) => {
    const whole = length - (length % detailScale);
    const first = Math.max(0, Math.min(middle - cropPx / 2, whole - cropPx));
    const from = Math.max(0, first - aroundPx);
    const end = Math.min(whole, from + cropPx + 2 * aroundPx);
    return { from, side: end - from - ((end - from) % detailScale), inside: first - from };
  };
  const [across, down] = [span(x, picture.width), span(y, picture.height)];
  const at = { left: across.from, top: down.from, width: across.side, height: down.side };
  return {
    truth: await cut(picture, at),
    shown: { left: across.inside, top: down.inside, width: cropPx, height: cropPx },
  };
}

async function reducedFile(photo: Pixels, isExact: boolean): Promise<Buffer> {
  const { data, info } = await rawOf(photo)
    .resize({
      width: photo.width / detailScale,
      height: photo.height / detailScale,
      kernel: 'cubic',
    })
    .raw()
    .toBuffer({ resolveWithObject: true });
  const { width, height } = info;
  const small = sharp(data, { raw: { width, height, channels: 3 } });
  return await (isExact ? small.png() : small.jpeg({ quality: jpegQuality })).toBuffer();
}
