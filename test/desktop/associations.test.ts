/** What the packages tell each system that Enlarger opens, against what it takes out of a folder. */
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { pictureEndings, type ReadableFormat } from '../../electron/contract/formats.ts';
import { root } from '../support/program.ts';

/** Endings that are another's second name, or cannot be read. */
const unoffered = ['jpe', 'jp2'];
const offered = pictureEndings.filter((ending) => !unoffered.includes(ending));

const types: Record<string, string> = {
  jpg: 'jpeg',
  tif: 'tiff',
  dng: 'x-adobe-dng',
  cr2: 'x-canon-cr2',
  cr3: 'x-canon-cr3',
  nef: 'x-nikon-nef',
  arw: 'x-sony-arw',
  orf: 'x-olympus-orf',
  rw2: 'x-panasonic-rw2',
  raf: 'x-fuji-raf',
};

/** What macOS calls each format. */
const kinds: Record<ReadableFormat, string[]> = {
  jpeg: ['public.jpeg'],
  png: ['public.png'],
  tiff: ['public.tiff'],
  webp: ['org.webmproject.webp'],
  avif: ['public.avif'],
  jxl: ['public.jpeg-xl'],
  heic: ['public.heic', 'public.heif'],
  raw: ['public.camera-raw-image'],
  gif: ['com.compuserve.gif'],
  bmp: ['com.microsoft.bmp'],
};

const readText = (file: string) => readFile(path.join(root, file), 'utf8');

describe('"Open with"', () => {
  it('is offered on Windows for every kind of picture', async () => {
    const script = await readText('resources/installer.nsh');
    const named = [...script.matchAll(/offerFor "\.(\w+)"/g)].map(([, ending]) => ending);
    expect(named.sort()).toEqual([...offered].sort());
  });

  it('is offered on Linux for every kind of picture', async () => {
    const named = (await readText('electron-builder.yml')).match(/(?<=- image\/)\S+/g) ?? [];
    const wanted = new Set(offered.map((ending) => types[ending] ?? ending));
    expect(named.sort()).toEqual([...wanted].sort());
  });

  it('is offered on macOS for every kind of picture', async () => {
    const named = (await readText('electron-builder.yml')).match(/(?<=- )(public|org|com)\.\S+/g);
    expect(named?.sort()).toEqual(Object.values(kinds).flat().sort());
  });
});
