/**
 * Networks that people bring beside the shipped ones, on a real photo: the photo is reduced by areas and
 * enlarged again, each network in a whole pass over it on the CPU. PSNR of the luma against the photo (networks
 * that draw what might have been are judged by eye, not by it), and megapixels of input a second.
 * `node test/bench/brought.ts [PHOTO] [SIDE] [FOLDER]`: without a folder those of the shared archive.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import sharp from 'sharp';
import { measureSession } from '../../electron/engine/inference/checks/check.ts';
import { openSession } from '../../electron/engine/inference/sessions/session.ts';
import type { NetworkFile } from '../../electron/engine/protocol/messages.ts';
import type { Pixels } from '../support/images.ts';
import { embeddedNetworks } from '../support/networks.ts';
import { passOver } from '../support/passes.ts';
import { networks as shared, photographs } from '../support/shared.ts';
import { printTable } from './bench-pictures.ts';
import { enlargersIn } from './brought-networks.ts';
import { bicubic, psnrOfLuma } from './quality-measures.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const scratch = temporaryFolder();
const [given, sideText = '768', folderGiven] = process.argv.slice(2);
const photo = given ?? firstPhotograph();
const folder = folderGiven ?? unpacked();

function firstPhotograph(): string {
  const [name] = existsSync(photographs) ? readdirSync(photographs).toSorted() : [];
  if (name === undefined) throw new Error(`Expected a photo: ${photographs} is not there.`);
  return join(photographs, name);
}

function unpacked(): string {
  if (!existsSync(shared.archive)) throw new Error(`Expected ${shared.archive} or a folder.`);
  execFileSync('tar', ['xJf', shared.archive, '-C', scratch]);
  return scratch;
}

/** The middle of the photo, a multiple of all scales wide. */
async function truthOf(path: string): Promise<Pixels> {
  const side = Math.floor(Number(sideText) / 24) * 24;
  const data = await sharp(path)
    .autoOrient()
    .resize(side, side, { fit: 'cover', withoutEnlargement: true })
    .toColourspace('srgb')
    .removeAlpha()
    .raw()
    .toBuffer();
  return { data: new Uint8Array(data), width: side, height: side, channels: 3 };
}

/** The mean of squares of `scale` pixels. */
function reduced({ data, width, height }: Pixels, scale: number): Pixels {
  const [w, h] = [width / scale, height / scale];
  const small = Uint8Array.from({ length: w * h * 3 }, (_, i) => {
    const [x, y] = [Math.floor(i / 3) % w, Math.floor(i / 3 / w)];
    let sum = 0;
    for (let down = 0; down < scale; down += 1)
      for (let right = 0; right < scale; right += 1)
        sum += data[((y * scale + down) * width + x * scale + right) * 3 + (i % 3)] ?? 0;
    return Math.round(sum / scale ** 2);
  });
  return { data: small, width: w, height: h, channels: 3 };
}

async function rowOf(network: NetworkFile, truth: Pixels): Promise<string[]> {
  const { scale } = network;
  const small = reduced(truth, scale);
  const session = await openSession(network, 'fp32', 'cpu');
  try {
    const { tilePx } = await measureSession(network, session);
    const before = performance.now();
    const { picture } = await passOver(small, network, session, tilePx);
    const seconds = (performance.now() - before) / 1000;
    const [own, plain] = [picture, bicubic(small, scale)].map((one) =>
      psnrOfLuma(one, truth, scale),
    );
    return [
      `${scale}x`,
      network.modelId,
      own?.toFixed(2) ?? '',
      plain?.toFixed(2) ?? '',
      ((small.width * small.height) / 1e6 / seconds).toFixed(3),
      seconds.toFixed(1),
    ];
  } finally {
    await session.close();
  }
}

const truth = await truthOf(photo);
const all = [...embeddedNetworks(), ...(await enlargersIn(folder))]
  .filter(({ scale }) => scale > 1)
  .toSorted((a, b) => a.scale - b.scale);
const rows: string[][] = [];
for (const network of all) {
  rows.push(await rowOf(network, truth));
  process.stderr.write(`${rows.at(-1)?.join('  ') ?? ''}\n`);
}
process.stdout.write(
  `${basename(photo)}, ${truth.width} x ${truth.height}, reduced and enlarged\n`,
);
printTable(['scale', 'model', 'PSNR dB', 'bicubic dB', 'MP/s', 'seconds'], rows);
process.exit();
