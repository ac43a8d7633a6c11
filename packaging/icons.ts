/**
 * `npm run icons` renders the icons of the program, of Linux desktops and of the tray, each from its drawing
 * in resources/. electron-builder makes the Windows and macOS icons from the largest one.
 */
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import sharp from 'sharp';

interface Icon {
  drawing: string;
  file: string;
  sidePx: number;
}

/** Desktops look for each of these sizes in pixels (freedesktop.org's icon theme specification). */
const linuxSizes = [16, 24, 32, 48, 64, 128, 256, 512];
const traySizePx = 16;
const trayScales = { '': 1, '@1.25x': 1.25, '@1.5x': 1.5, '@2x': 2 };
/** macOS paints a template icon in its own colour, on screens of two densities. */
const templateScales = { '': 1, '@2x': 2 };

export const icons: readonly Icon[] = [
  { drawing: 'icon.svg', file: 'icon.png', sidePx: 1024 },
  ...linuxSizes.map((sidePx) => ({
    drawing: 'icon.svg',
    file: `linux/icons/${sidePx}x${sidePx}.png`,
    sidePx,
  })),
  ...Object.entries(trayScales).map(([name, scale]) => ({
    drawing: 'icon.svg',
    file: `tray/tray${name}.png`,
    sidePx: traySizePx * scale,
  })),
  ...Object.entries(templateScales).map(([name, scale]) => ({
    drawing: 'tray/trayTemplate.svg',
    file: `tray/trayTemplate${name}.png`,
    sidePx: traySizePx * scale,
  })),
];

/** Renders at four times the size and reduces, so that small icons are as smooth as large ones. */
export async function render(resources: string, { drawing, sidePx }: Icon): Promise<Buffer> {
  const file = path.join(resources, drawing);
  const { width } = await sharp(file).metadata();
  const pointsPerInch = 72;
  const density = Math.min((pointsPerInch * 4 * sidePx) / width, 2400);
  return sharp(file, { density }).resize(sidePx, sidePx).png({ palette: true }).toBuffer();
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const resources = path.resolve(import.meta.dirname, '../resources');
  for (const icon of icons) {
    const file = path.join(resources, icon.file);
    await mkdir(path.dirname(file), { recursive: true });
    await writeFile(file, await render(resources, icon));
  }
}
