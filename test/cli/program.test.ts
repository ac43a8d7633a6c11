import { CommanderError } from 'commander';
import { describe, expect, it } from 'vitest';
import { buildProgram, type UpscaleCommand } from '../../electron/cli/program.ts';

async function readUpscale(line: string): Promise<UpscaleCommand> {
  let read: UpscaleCommand | undefined;
  const unexpected = () => Promise.reject(new Error('Another command ran.'));
  const program = buildProgram('1.2.3', {
    upscale: (command) => {
      read = command;
      return Promise.resolve();
    },
    tasks: unexpected,
    cancel: unexpected,
    models: unexpected,
  });
  for (const command of [program, ...program.commands])
    command.configureOutput({ writeErr: () => undefined });
  await program.parseAsync(line.split(' '), { from: 'user' });
  return read!;
}

describe('the command line', () => {
  it('sends only what was said, and 2x when nothing was', async () => {
    const { options, names } = await readUpscale('upscale a.jpg b.jpg');
    expect(names).toEqual(['a.jpg', 'b.jpg']);
    expect(options).toMatchObject({ body: { scale: 2 }, onConflict: 'number', outDir: undefined });
    expect(Object.keys(options.body)).toEqual(['scale']);
  });

  it('reads every option as the API takes it', async () => {
    const { options } = await readUpscale(
      'upscale a.jpg -s 8 -f webp -q 80 --bit-depth 16 -m fine --metadata none --priority -3 --overwrite',
    );
    expect(options.body).toEqual({
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

  it.each([
    'upscale',
    'upscale a.jpg --scale 3',
    'upscale a.jpg --quality 0',
    'upscale a.jpg --quality 1.5',
    'upscale a.jpg --format bmp',
    'upscale a.jpg --bit-depth 12',
    'upscale a.jpg --name ../x',
    'upscale a.jpg --colour red',
    'enhance a.jpg',
  ])('refuses "%s"', async (line) => {
    await expect(readUpscale(line)).rejects.toBeInstanceOf(CommanderError);
  });
});
