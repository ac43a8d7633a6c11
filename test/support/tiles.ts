/** Tiles as a person would see them: put together again into a picture. */
import sharp from 'sharp';
import { openTileFile } from '../../electron/service/previews/tile-file.ts';
import type { Pixels } from './images.ts';

/** One level of a tile file, the last one where none is said, as 8-bit RGB or RGBA. */
export async function levelOf(path: string, level?: number): Promise<Pixels> {
  const file = await openTileFile(path);
  const wanted = level ?? file.maxLevel;
  const shrink = 2 ** (file.maxLevel - wanted);
  const [width, height] = [Math.ceil(file.width / shrink), Math.ceil(file.height / shrink)];
  const channels = file.format === 'jpeg' ? 3 : 4;
  const whole: Pixels = {
    data: new Uint8Array(width * height * channels),
    width,
    height,
    channels,
  };
  for (let row = 0; row * file.tileSize < height; row += 1) {
    for (let column = 0; column * file.tileSize < width; column += 1) {
      const tile = await file.read(wanted, column, row);
      if (!tile) throw new Error(`No tile ${wanted}/${column}_${row}`);
      await lay(tile, whole, column * file.tileSize, row * file.tileSize);
    }
  }
  return whole;
}

async function lay(tile: Buffer, whole: Pixels, left: number, top: number): Promise<void> {
  const { data, info } = await sharp(tile)
    .toColourspace('srgb')
    .raw()
    .toBuffer({ resolveWithObject: true });
  const rowLength = info.width * info.channels;
  for (let y = 0; y < info.height; y += 1) {
    const at = ((top + y) * whole.width + left) * whole.channels;
    whole.data.set(data.subarray(y * rowLength, (y + 1) * rowLength), at);
  }
}
