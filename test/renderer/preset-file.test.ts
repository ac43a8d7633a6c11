import { describe, expect, it } from 'vitest';
import { fieldOf } from '../../renderer/state/field-problem.ts';
import { inLanes } from '../../renderer/state/lanes.ts';
import { exampleName, usualTemplate } from '../../renderer/state/name-example.ts';
import { freePresetName, readPresets, writePresets } from '../../renderer/state/preset-file.ts';

describe('presets as a file', () => {
  const preset = {
    id: '1',
    name: 'Web',
    operation: 'upscale' as const,
    options: { scale: 2 as const, format: 'webp' as const },
    createdAt: '2026-01-01T00:00:00.000Z',
  };

  it('come back as they were written, without what only this machine knows', () => {
    const { name, operation, options } = preset;
    expect(readPresets(writePresets([preset]))).toEqual([{ name, operation, options }]);
  });

  it('are not read from other files', () => {
    const broken = JSON.stringify({ kind: 'enlarger-presets', presets: [{ name: 'x' }] });
    for (const json of ['', '[]', '{"kind":"other","presets":[]}', broken])
      expect(readPresets(json), json).toBeUndefined();
  });

  it('get a number where the name is taken', () => {
    expect(freePresetName('Web', ['web', 'Web 2'])).toBe('Web 3');
    expect(freePresetName('Web', [])).toBe('Web');
  });
});

describe('the example of a file name', () => {
  const values = {
    sourceName: 'sea.view.jpg',
    scale: 4,
    model: 'faithful',
    date: new Date(Date.UTC(2026, 4, 3)),
    ext: 'png',
  };

  it('fills the places and keeps what is none', () => {
    expect(exampleName('{name}_{scale}x_{model}_{date}_{n}{other}', values)).toBe(
      'sea.view_4x_faithful_2026-05-03_1{other}.png',
    );
  });

  it('has the ending of the format, and is never empty', () => {
    expect(exampleName('{name}.{ext}', values)).toBe('sea.view.png');
    expect(exampleName('', values)).toBe('image.png');
    expect(exampleName(usualTemplate('remove-bg'), values)).toBe('sea.view-cutout.png');
  });
});

describe('a refusal of the service', () => {
  it('belongs to the field that its sentence begins with', () => {
    const refused = (message: string, code = 'INVALID_REQUEST') => fieldOf({ code, message });
    expect(refused('Expected quality to be a whole number from 1 to 100.')).toBe('quality');
    expect(refused('Expected options.longEdge to be a whole number.')).toBe('size');
    expect(refused('The folder is not granted.', 'FORBIDDEN_PATH')).toBe('saveTo');
    expect(refused('Something else.')).toBeUndefined();
  });
});

describe('lanes', () => {
  it('begin in order, and only so many at a time', async () => {
    const begun: number[] = [];
    let atOnce = 0;
    let most = 0;
    await inLanes([1, 2, 3, 4, 5], 2, async (item) => {
      begun.push(item);
      most = Math.max(most, ++atOnce);
      await new Promise((resolve) => setTimeout(resolve, 1));
      atOnce -= 1;
    });
    expect([begun, most]).toEqual([[1, 2, 3, 4, 5], 2]);
  });
});
