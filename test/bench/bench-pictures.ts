/** Pictures of a wanted size for measuring: a photograph laid out like tiles, every second one mirrored. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';
import { samplePicture } from '../../electron/engine/inference/checks/sample-picture.ts';

/** The photograph as 8-bit RGB; without one, a picture made to look like it. */
async function tileOf(photograph: string | undefined) {
  if (photograph === undefined) {
    return { data: Buffer.from(samplePicture(1400, 1000)), width: 1400, height: 1000 };
  }
  const { data, info } = await sharp(photograph)
    .toColourspace('srgb')
    .removeAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  return { data, width: info.width, height: info.height };
}

const mirrored = (at: number, size: number) => {
  const folded = at % (2 * size);
  return folded < size ? folded : 2 * size - 1 - folded;
};

/** Writes a JPEG of quality 92 of exactly `width` x `height`. */
export async function writeBenchJpeg(
  path: string,
  width: number,
  height: number,
  photograph: string | undefined,
): Promise<void> {
  const tile = await tileOf(photograph);
  const data = Buffer.alloc(width * height * 3);
  for (let y = 0; y < height; y += 1) {
    const row = mirrored(y, tile.height) * tile.width;
    for (let x = 0; x < width; x += 1) {
      const from = (row + mirrored(x, tile.width)) * 3;
      tile.data.copy(data, (y * width + x) * 3, from, from + 3);
    }
  }
  const jpeg = await sharp(data, { raw: { width, height, channels: 3 } })
    .jpeg({ quality: 92 })
    .toBuffer();
  writeFileSync(path, jpeg);
}

const lantern = join(import.meta.dirname, '../../renderer/pictures/lantern.jpg');

/** Writes one subject in its surroundings, as large as it is to be: a photograph, or the lantern of the page. */
export async function writeBenchSubject(
  path: string,
  width: number,
  height: number,
  photograph = lantern,
): Promise<void> {
  await sharp(photograph)
    .autoOrient()
    .resize(width, height, { fit: 'cover' })
    .jpeg({ quality: 92 })
    .toFile(path);
}

const lineOf = (row: string[], widths: number[]) =>
  `| ${row.map((text, i) => text.padEnd(widths[i] ?? 0)).join(' | ')} |\n`;
const rulerOf = (widths: number[]) =>
  `|${widths.map((width) => '-'.repeat(width + 2)).join('|')}|\n`;

/** Prints rows under their headings, columns aligned. */
export function printTable(headings: string[], rows: (string | number)[][]): void {
  const texts = [headings, ...rows].map((row) => row.map(String));
  const widths = headings.map((_, i) => Math.max(...texts.map((row) => row[i]?.length ?? 0)));
  const [head = '', ...body] = texts.map((row) => lineOf(row, widths));
  process.stdout.write([head, rulerOf(widths), ...body].join(''));
}

const defaultWidth = 13;

/** Prints the headings now, and each row when it is known. */
export function openTable(headings: string[]): (row: string[]) => void {
  const widths = headings.map((heading) => Math.max(heading.length, defaultWidth));
  process.stdout.write(lineOf(headings, widths) + rulerOf(widths));
  return (row) => void process.stdout.write(lineOf(row, widths));
}
