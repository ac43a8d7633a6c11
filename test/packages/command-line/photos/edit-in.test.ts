/** The round trip of other programs: a file that is enlarged in its place, over the real service. */
import {
  lstat,
  mkdir,
  readdir,
  readFile,
  rm,
  stat,
  symlink,
  utimes,
  writeFile,
} from 'node:fs/promises';
import path from 'node:path';
import sharp from 'sharp';
import { beforeEach, describe, expect, it } from 'vitest';
import { editInPlace } from '../../../../packages/command-line/src/photos/edit-in.ts';
import { writeShippedSpeeds } from '../../../support/measured-data.ts';
import { proPhotoProfile } from '../../../support/pro-photo.ts';
import { startProgram } from '../../../support/program.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';
import { cliProgram } from '../../../support/programs.ts';

const xmp = `<?xpacket begin="" id="W5M0MpCehiHzreSzNTczkc9d"?><x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description rdf:about="" xmlns:photoshop="http://ns.adobe.com/photoshop/1.0/" photoshop:Credit="Ada 2026"/></rdf:RDF></x:xmpmeta><?xpacket end="w"?>`;

describe('enlarger edit-in', { timeout: 300_000 }, () => {
  let folder: string;
  beforeEach(async () => {
    folder = temporaryFolder();
    await writeShippedSpeeds(at('data'));
  });

  const at = (name: string) => path.join(folder, name);
  const start = (...args: string[]) =>
    startProgram(process.execPath, [cliProgram, 'edit-in', ...args, '--data-dir', at('data')]);

  /** As Lightroom Classic hands one over: 16 bits, ProPhoto, zipped, with its metadata. */
  async function writeTiff(name: string): Promise<Buffer> {
    await writeFile(at('pro-photo.icc'), proPhotoProfile());
    const samples = Uint16Array.from({ length: 48 * 32 * 3 }, (_, i) => (i * 397) % 65_536);
    const bytes = await sharp(samples, { raw: { width: 48, height: 32, channels: 3 } })
      .toColourspace('rgb16')
      .withIccProfile(at('pro-photo.icc'))
      .withXmp(xmp)
      .tiff({ compression: 'deflate', predictor: 'horizontal', xres: 240 / 25.4, yres: 240 / 25.4 })
      .toBuffer();
    await rm(at('pro-photo.icc'));
    await writeFile(at(name), bytes);
    return bytes;
  }

  it('keeps name, depth, profile and metadata, and the original aside', async () => {
    const before = await writeTiff('sea-Edit.tif');
    const profile = (await sharp(before).metadata()).icc;
    expect(profile?.equals(proPhotoProfile())).toBe(true);
    const { code, stdout, stderr } = await start(at('sea-Edit.tif'), '--scale', '2').ended;
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).toMatch(/sea-Edit\.tif -> .*sea-Edit\.tif \(96 x 64, /);
    expect(stdout).not.toContain('.enlarger-edit-');
    const after = await sharp(at('sea-Edit.tif')).metadata();
    expect(after).toMatchObject({ format: 'tiff', width: 96, height: 64, depth: 'ushort' });
    expect(after.icc?.equals(profile ?? Buffer.alloc(0))).toBe(true);
    const words = (await readFile(at('sea-Edit.tif'))).toString('latin1');
    expect(words.includes('Ada 2026')).toBe(true);
    expect((await readFile(at('sea-Edit-original.tif'))).equals(before)).toBe(true);
    expect((await readdir(folder)).filter((name) => name !== 'data').sort()).toEqual([
      'sea-Edit-original.tif',
      'sea-Edit.tif',
    ]);
  });

  it('leaves the file as it is when it cannot be read, and says why', async () => {
    await writeFile(at('torn.tif'), 'not a picture');
    const { code, stderr } = await start(at('torn.tif')).ended;
    expect(code).toBe(1);
    expect(stderr).toMatch(/torn\.tif/);
    expect(await readFile(at('torn.tif'), 'utf8')).toBe('not a picture');
    expect(await readdir(folder)).not.toContain('torn-original.tif');
  });
});

describe('a file that is edited in its place', () => {
  let folder: string;
  beforeEach(async () => {
    folder = temporaryFolder();
    await writeFile(path.join(folder, 'a.tif'), 'before', { mode: 0o640 });
  });

  const file = () => path.join(folder, 'a.tif');
  const make = (name: string, also?: () => Promise<void>) => async (into: string) => {
    await writeFile(path.join(into, name), 'after');
    await also?.();
    return 0;
  };

  it('keeps its rights, and each original under a name of its own', async () => {
    await editInPlace(file(), { keepsOriginal: true }, make('a.tif'));
    await editInPlace(file(), { keepsOriginal: true }, make('a.tif'));
    expect((await readdir(folder)).sort()).toEqual([
      'a-original (2).tif',
      'a-original.tif',
      'a.tif',
    ]);
    expect(await readFile(path.join(folder, 'a-original.tif'), 'utf8')).toBe('before');
    if (process.platform !== 'win32') expect((await stat(file())).mode & 0o777).toBe(0o640);
  });

  it('keeps none when it is told so', async () => {
    await editInPlace(file(), { keepsOriginal: false }, make('a.tif'));
    expect(await readdir(folder)).toEqual(['a.tif']);
  });

  it.skipIf(process.platform === 'win32')(
    'is what a link leads to, and the link stays one',
    async () => {
      const link = path.join(folder, 'link.tif');
      await symlink(file(), link);
      await editInPlace(link, { keepsOriginal: true }, make('a.tif'));
      expect((await lstat(link)).isSymbolicLink()).toBe(true);
      expect(await readFile(file(), 'utf8')).toBe('after');
      const names = ['a-original.tif', 'a.tif', 'link.tif'];
      expect((await readdir(folder)).sort()).toEqual(names);
    },
  );

  it('is no folder, and is there', async () => {
    await mkdir(path.join(folder, 'sub'));
    const edit = (name: string) =>
      editInPlace(path.join(folder, name), { keepsOriginal: true }, make(name));
    await expect(edit('sub')).rejects.toThrow(/Expected a file but .*sub is none\./);
    await expect(edit('gone.tif')).rejects.toThrow(/there is no such folder or file/);
  });

  it('stays as it is when the result has another format, failed, or another program wrote it', async () => {
    const keep = { keepsOriginal: true };
    await expect(editInPlace(file(), keep, make('a.png'))).rejects.toThrow(/format of a\.tif/);
    expect(await editInPlace(file(), keep, () => Promise.resolve(1))).toBe(1);
    const meddle = () => utimes(file(), new Date(), new Date(0));
    await expect(editInPlace(file(), keep, make('a.tif', meddle))).rejects.toThrow(/meanwhile/);
    expect(await readFile(file(), 'utf8')).toBe('before');
    expect(await readdir(folder)).toEqual(['a.tif']);
  });
});
