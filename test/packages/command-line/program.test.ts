import { CommanderError } from 'commander';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { PhotoCommand } from '../../../packages/command-line/src/photos/photo-commands.ts';
import { buildProgram } from '../../../packages/command-line/src/program.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

async function read(line: string): Promise<PhotoCommand> {
  let found: PhotoCommand | undefined;
  const unexpected = () => Promise.reject(new Error('Another command ran.'));
  const program = buildProgram('1.2.3', {
    programUrl: import.meta.url,
    serve: () => Promise.reject(new Error('No service was named.')),
    photos: (command) => {
      found = command;
      return Promise.resolve();
    },
    editIn: unexpected,
    ask: unexpected,
  });
  for (const command of [program, ...program.commands])
    command.configureOutput({ writeErr: () => undefined });
  await program.parseAsync(line.split(' '), { from: 'user' });
  return found!;
}

describe('the command line', () => {
  it('sends only what was said, and 2x when nothing was', async () => {
    const { options, names } = await read('upscale a.jpg b.jpg');
    expect(names).toEqual(['a.jpg', 'b.jpg']);
    expect(options).toEqual({
      work: { operation: 'upscale', body: { scale: 2 } },
      nameTemplate: '{name}-{scale}x.{ext}',
      onConflict: 'number',
      outDir: undefined,
    });
  });

  it.each([
    [
      'presets add Mine',
      /unknown command 'add'\n\(Did you mean one of add-upscale, add-cutout\?\)/,
    ],
    ['grants revoke /a', /unknown command 'revoke'$/],
    ['tasks show', /too many arguments for 'tasks'/],
  ])('refuses %s, of which one word is no command', async (line, message) => {
    await expect(read(line)).rejects.toThrow(message);
  });

  it('reads every option as the API takes it', async () => {
    const { options } = await read(
      'upscale a.jpg -s 8 -f webp -q 80 --bit-depth 16 -m fine --metadata none --priority -3 --overwrite',
    );
    expect(options.work.body).toEqual({
      scale: 8,
      format: 'webp',
      quality: 80,
      bitDepth: 16,
      model: 'fine',
      metadata: 'none',
      priority: -3,
    });
    expect(options.onConflict).toBe('overwrite');
  });

  it('cuts out with nothing said but the photos', async () => {
    const { options } = await read('cutout a.jpg');
    expect(options.work).toEqual({ operation: 'remove-bg', body: {} });
    expect(options.nameTemplate).toBe('{name}-cutout.{ext}');
  });

  it.each([
    ['--background white', { background: '#ffffff' }],
    ['--background RebeccaPurple', { background: '#663399' }],
    ['-b white -f JPG', { background: '#ffffff', format: 'jpeg' }],
    ['-b #fa0 -f jpeg -q 80', { background: '#ffaa00', format: 'jpeg', quality: 80 }],
    ['--background blur --crop', { background: 'blur', crop: true }],
    ['--crop 12 --metadata private', { crop: 12, metadata: 'private' }],
    ['--mask-only --bit-depth 8', { maskOnly: true, bitDepth: 8 }],
    ['--scale 2 -m cutout', { model: 'cutout', enlarge: { scale: 2 } }],
    [
      '--long-edge 6000 --sharpen 10 --upscaler natural --first cutout --crop',
      {
        crop: true,
        enlarge: { longEdge: 6000, sharpen: 10, model: 'natural', first: 'cutout' },
      },
    ],
  ])('reads cutout %s', async (words, body) => {
    const { options } = await read(`cutout a.jpg ${words}`);
    expect(options.work).toEqual({ operation: 'remove-bg', body });
  });

  it('reads places to keep and to remove', async () => {
    const { options } = await read(
      'cutout a.jpg --remove-at 10%,90% --keep-at 0.4,0.25 --keep-at .5,1',
    );
    const points = [
      { kind: 'keep', x: 0.4, y: 0.25 },
      { kind: 'keep', x: 0.5, y: 1 },
      { kind: 'remove', x: 0.1, y: 0.9 },
    ];
    expect(options.work).toEqual({ operation: 'remove-bg', body: { points } });
  });

  it('reads boxes, and puts them before the strokes of a file', async () => {
    const { options } = await read(
      'cutout a.jpg --remove-box 0,0,10%,20% --keep-box 0.1,0.2,0.5,0.75',
    );
    const box = (kind: 'keep' | 'remove', ...points: [number, number][]) => ({
      ...{ kind, radius: 0.005 },
      ...{ selects: 'box', points },
    });
    const strokes = [box('keep', [0.1, 0.2], [0.6, 0.95]), box('remove', [0, 0], [0.1, 0.2])];
    expect(options.work).toEqual({ operation: 'remove-bg', body: { strokes } });
  });

  describe('with a file of strokes', () => {
    const folder = temporaryFolder();
    const saved = (content: string) => {
      const path = join(folder, 'strokes.json');
      writeFileSync(path, content);
      return path;
    };

    it('reads them', async () => {
      const strokes = [{ kind: 'remove', radius: 0.05, points: [[0.2, 0.1]] }];
      const { options } = await read(`cutout a.jpg --strokes ${saved(JSON.stringify(strokes))}`);
      expect(options.work.body).toEqual({ strokes });
    });

    it.each(['{', '{}', '[{"kind":"blur","radius":0.05,"points":[[0.2,0.1]]}]'])(
      'refuses %s',
      async (content) => {
        await expect(read(`cutout a.jpg --strokes ${saved(content)}`)).rejects.toThrow(
          /Expected a (file with JSON|list of strokes)/,
        );
      },
    );
  });

  it.each([
    'upscale',
    'upscale a.jpg --scale 3',
    'upscale a.jpg --quality 0',
    'upscale a.jpg --quality 1.5',
    'upscale a.jpg --format bmp',
    'upscale a.jpg --bit-depth 12',
    'upscale a.jpg --name ../x',
    'upscale a.jpg --colour red',
    'upscale a.jpg --background white',
    'cutout',
    'cutout a.jpg --background reddish',
    'cutout a.jpg --crop 101',
    'cutout a.jpg --sharpen 20',
    'cutout a.jpg --first cutout',
    'cutout a.jpg --scale 2 --width 900',
    'cutout a.jpg --scale 2 --first upscale',
    'cutout a.jpg --strokes missing.json',
    'cutout a.jpg --keep-at 120,40',
    'cutout a.jpg --keep-at 0.5',
    'cutout a.jpg --remove-at 0.5,-0.1',
    'cutout a.jpg --remove-at middle',
    'cutout a.jpg --keep-box 0.1,0.2,0.5',
    'cutout a.jpg --keep-box 0.1,0.2,0.95,0.5',
    'cutout a.jpg --remove-box 0.1,0.2,0,0.5',
    'enhance a.jpg',
  ])('refuses "%s"', async (line) => {
    await expect(read(line)).rejects.toBeInstanceOf(CommanderError);
  });
});
