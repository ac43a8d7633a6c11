import { describe, expect, it } from 'vitest';
import { exampleName, usualTemplate } from '../../renderer/state/name-example.ts';

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
