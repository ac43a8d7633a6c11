/** A result as one file and over pipes, and presets and models by name: over the real service. */
import { readFile, readdir } from 'node:fs/promises';
import path from 'node:path';
import sharp from 'sharp';
import { beforeAll, describe, expect, it } from 'vitest';
import { startHeadless } from '../../../support/headless.ts';
import { writeSmallJpeg } from '../../../support/pictures.ts';
import { startProgram } from '../../../support/program.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';
import { cliProgram } from '../../../support/programs.ts';

describe('a photo whose result is named', { timeout: 240_000 }, () => {
  const folder = temporaryFolder();
  const at = (...parts: string[]) => path.join(folder, ...parts);
  const photo = at('a.jpg');
  const shell = (line: string) =>
    startProgram('bash', [...['-c', line, process.execPath, cliProgram, at('data')]]).ended;
  const run = (...words: string[]) =>
    startProgram(process.execPath, [...[cliProgram, ...words, '--data-dir', at('data')]]).ended;

  beforeAll(async () => {
    await writeSmallJpeg(photo);
    const service = await startHeadless(at('data'));
    return async () => {
      await service.end('SIGTERM');
    };
  });
  const factsOf = async (file: string | Buffer) => {
    const { format, width } = await sharp(file).metadata();
    return { format, width };
  };

  it('becomes that file, in the format of its ending', async () => {
    const { code, stdout } = await run('upscale', photo, '-o', at('new/big.png'));
    expect(code).toBe(0);
    expect(stdout).toContain(`-> ${at('new/big.png')}`);
    expect(await factsOf(at('new/big.png'))).toEqual({ format: 'png', width: 96 });
    expect(await readdir(at('new'))).toEqual(['big.png']);
  });

  it('comes from standard input and goes to standard output, and nothing else does', async () => {
    const { code, stderr } = await shell(
      `"$0" "$1" upscale - -s 4 -f webp --data-dir "$2" < ${photo} > ${at('piped.webp')}`,
    );
    expect(code, stderr).toBe(0);
    expect(stderr).toMatch(/^\[1\/1\] standard input -> standard output \(192 x 128/m);
    expect(await factsOf(await readFile(at('piped.webp')))).toEqual({ format: 'webp', width: 192 });
  });

  it.skipIf(process.platform !== 'linux').each([
    ['> /dev/full', 'The result cannot be written to standard output: the disk is full.'],
    ['| true', 'The reader of the output is gone.'],
  ])('fails where standard output takes nothing: %s', async (redirection, sentence) => {
    const { code, stdout, stderr } = await shell(
      `set -o pipefail; "$0" "$1" upscale ${photo} -o - --data-dir "$2" ${redirection}`,
    );
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toContain(sentence);
    expect(stderr).not.toContain(' -> ');
  });

  it('has the options of a preset, beneath those of the command line', async () => {
    const print = await run('presets', 'add-upscale', 'Small', '-s', '4', '-f', 'webp', '-q', '70');
    expect(print.code).toBe(0);
    expect((await run('upscale', photo, '--preset', 'small', '-o', at('p1'))).code).toBe(0);
    expect(
      (await run('upscale', photo, '--preset', 'Small', '--width', '60', '-o', at('p2'))).code,
    ).toBe(0);
    expect(await readdir(at('p1'))).toEqual(['a-4x.webp']);
    expect(await readdir(at('p2'))).toEqual(['a-1.25x.webp']);
    const { code, stderr } = await run('cutout', photo, '--preset', 'Small');
    expect([code, stderr]).toEqual([2, 'error: --preset: Small is for `enlarger upscale`.\n']);
  });

  it('is refused before anything runs where words make no sense', async () => {
    const refusals: [words: string[], sentence: RegExp][] = [
      [['upscale', photo, '-m', 'nope'], /--model: no model is called nope; there are .*natural/],
      [['upscale', photo, '--preset', 'Nix'], /--preset: No preset is called Nix; there are .*Web/],
      [['upscale', photo, '-m', 'cutout'], /--model: cutout is no model that enlarges; there are/],
      [['upscale', photo, '-o', at('a.bmp')], /--out: no result is written as bmp; there are jpg/],
      [['upscale', photo, at('b.png')], /no file .*b\.png.*--out .*b\.png/],
      [
        ['upscale', photo, '-o', at('b.png'), '-f', 'jpeg'],
        /--format is jpeg and --out ends in png/,
      ],
      [['upscale', photo, '-o', at('b.png'), '--name', 'c'], /--name or a file behind --out/],
      [['cutout', photo, '-o', at('b.jpg')], /--background white/],
      [['upscale', photo, '--json', '-o', '-'], /--json or the result on standard output/],
      [['upscale', '-', photo], /Expected - alone/],
    ];
    for (const [words, sentence] of refusals) {
      const { code, stderr, stdout } = await run(...words);
      expect({ code, stderr, stdout }).toEqual({
        code: 2,
        stderr: expect.stringMatching(sentence) as string,
        stdout: '',
      });
    }
    expect((await readdir(folder)).filter((name) => /^[ab]-|^b\./.test(name))).toEqual([]);
  });
});
