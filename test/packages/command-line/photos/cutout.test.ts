/** The command line over a real service and engine, with a remover whose subject is what is bright. */
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { remover, startMadeService } from '../../../support/made-service.ts';
import { asSharp } from '../../../support/images.ts';
import { startProgram } from '../../../support/program.ts';
import type { TestService } from '../../../support/service.ts';
import { subjectPhoto } from '../../../support/subjects.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';
import { cliProgram } from '../../../support/programs.ts';

describe('enlarger cutout', () => {
  let service: TestService;
  beforeAll(async () => void (service = await startMadeService([remover])));
  afterAll(() => service.close());
  let folder: string;
  beforeEach(async () => {
    folder = temporaryFolder();
    const box = { x: 40, y: 30, width: 60, height: 50 };
    for (const name of ['a.jpg', 'b.jpg'])
      await asSharp(subjectPhoto(160, 120, box))
        .jpeg()
        .toFile(path.join(folder, name));
    await asSharp(subjectPhoto(160, 120, { ...box, width: 0 }))
      .jpeg()
      .toFile(path.join(folder, 'wall.jpg'));
  });

  const at = (...parts: string[]) => path.join(folder, ...parts);
  const run = (...words: string[]) => {
    const { url, key } = service;
    const connection = ['--url', url, '--key', key];
    return startProgram(process.execPath, [cliProgram, 'cutout', ...words, ...connection]).ended;
  };

  it('cuts out photos beside themselves, and says of which it could not and why', async () => {
    const { code, stdout, stderr } = await run(at('*.jpg'));
    expect(code).toBe(1);
    expect(stderr).toMatch(/wall\.jpg: Nothing in this picture stands out as its subject/);
    expect(stdout).toContain('a-cutout.png (160 x 120');
    expect((await readdir(folder)).toSorted()).toEqual([
      'a-cutout.png',
      'a.jpg',
      'b-cutout.png',
      'b.jpg',
      'wall.jpg',
    ]);
    expect((await sharp(at('a-cutout.png')).metadata()).hasAlpha).toBe(true);
  });

  it('lays them on a colour, cropped, and makes masks', async () => {
    const out = ['--out', at('out')];
    const colour = ['-b', 'white', '--crop', '5', '-f', 'same', ...out];
    expect((await run(at('a.jpg'), ...colour)).code).toBe(0);
    const jpeg = await sharp(at('out/a-cutout.jpg')).metadata();
    expect([jpeg.format, jpeg.hasAlpha]).toEqual(['jpeg', false]);
    expect(jpeg.width).toBeLessThan(100);
    expect((await run(at('b.jpg'), '--mask-only', ...out)).code).toBe(0);
    const mask = await sharp(at('out/b-cutout.png')).metadata();
    expect([mask.depth, mask.channels]).toEqual(['ushort', 1]);
  });

  it('lays them on a canvas over a picture of a file, which is sent once', async () => {
    const sea = at('sea.png');
    await sharp({ create: { width: 40, height: 40, channels: 3, background: '#1e5ac8' } })
      .png()
      .toFile(sea);
    const placed = ['--canvas', '300x200', '--subject-scale', '50', '--position', '0,100'];
    const wish = ['--background-image', sea, '--shadow', '40', ...placed, '--out', at('out')];
    expect((await run(at('a.jpg'), at('b.jpg'), ...wish)).code).toBe(0);
    for (const name of ['a', 'b']) {
      const made = sharp(at(`out/${name}-cutout.png`));
      const { width, height, hasAlpha } = await made.metadata();
      expect([width, height, hasAlpha]).toEqual([300, 200, false]);
      const corner = { left: 299, top: 0, width: 1, height: 1 };
      expect([...(await made.extract(corner).raw().toBuffer())]).toEqual([0x1e, 0x5a, 0xc8]);
    }
    const wrong = await run(at('a.jpg'), '--canvas', 'large');
    expect([wrong.code, wrong.stderr]).toEqual([
      expect.any(Number),
      expect.stringContaining('2000x2000'),
    ]);
    expect(wrong.code).not.toBe(0);
  });
});
