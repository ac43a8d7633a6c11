import { describe, expect, it } from 'vitest';
import fc from 'fast-check';
import {
  extensionFor,
  planName,
  scaleInName,
  sizeInName,
  defaultTemplate,
} from '../../../packages/contract/src/naming.ts';

const result = {
  sourceName: 'beach.png',
  scale: 4 as number | undefined,
  size: '51.6x30cm',
  model: 'faithful',
  date: new Date(Date.UTC(2026, 10, 21)),
  format: 'jpeg',
};
const defaults = defaultTemplate('upscale');

describe('a name', () => {
  it.each([
    ['{name}-{scale}x', 1, 'beach-4x.jpg'],
    ['{name}-{scale}x', 2, 'beach-4x (2).jpg'],
    ['{name}-{size}', 1, 'beach-51.6x30cm.jpg'],
    ['{date}_{model}_{name}.{ext}', 1, '2026-11-21_faithful_beach.jpg'],
    ['{name}.jpg', 1, 'beach.jpg'],
    ['{name}.jpeg', 3, 'beach (3).jpeg'],
    ['{name}.JPG', 1, 'beach.JPG'],
    ['{name}.png', 1, 'beach.jpg'],
    ['{name}.webp', 2, 'beach (2).jpg'],
    ['{name}.v1', 1, 'beach.v1.jpg'],
    ['{name} 1.5', 1, 'beach 1.5.jpg'],
    ['print {n}', 7, 'print 7.jpg'],
    ['{unknown} {name}', 1, '{unknown} beach.jpg'],
    ['{constructor} {toString}', 1, '{constructor} {toString}.jpg'],
    ['../../{name}', 1, '_.._beach.jpg'],
    ['a/b\\c:d*e?f"g<h>i|j', 1, 'a_b_c_d_e_f_g_h_i_j.jpg'],
    ['con', 1, '_con.jpg'],
    ['LPT1.old', 1, '_LPT1.old.jpg'],
    ['...', 1, 'image.jpg'],
    ['', 1, 'image.jpg'],
    ['  .hidden. ', 1, 'hidden.jpg'],
  ])('from %j, the %d. is %j', (template, n, name) => {
    expect(planName(template, result, n)).toBe(name);
  });

  it('keeps the name as a person wrote it, in any script', () => {
    const sourceName = 'Ærø – 海岸 🏖.png';
    expect(planName('{name}', { ...result, sourceName }, 1)).toBe('Ærø – 海岸 🏖.jpg');
  });

  it.each(['می\u200cخواهم', '👨‍👩‍👧', '🏴󠁧󠁢󠁥󠁮󠁧󠁿'])('keeps the joiners and tags of %s', (stem) => {
    expect(planName(defaults, { ...result, sourceName: `${stem}.png` }, 1)).toBe(`${stem}-4x.jpg`);
  });

  it('loses marks that change the direction of text', () => {
    const sourceName = 'a\u202egpj.png';
    expect(planName('{name}', { ...result, sourceName }, 1)).toBe('a_gpj.jpg');
  });

  it.each(['a', '海', '👨‍👩‍👧'])('is cut in the name of the photo, made of %s', (letter) => {
    const sourceName = `${letter.repeat(240)}.png`;
    const name = planName(defaults, { ...result, sourceName }, 2);
    expect(name.endsWith(`${letter}-4x (2).jpg`)).toBe(true);
    expect(Buffer.byteLength(name)).toBeLessThanOrEqual(240);
  });

  it('keeps every dot but the last, and a brace in the name of a photo', () => {
    expect(planName(defaults, { ...result, sourceName: 'sea.view.png' }, 1)).toBe(
      'sea.view-4x.jpg',
    );
    expect(planName(defaults, { ...result, sourceName: '{scale}' }, 1)).toBe('{scale}-4x.jpg');
  });

  it('is a cut-out where it is one', () => {
    expect(planName(defaultTemplate('remove-bg'), { ...result, format: 'png' }, 1)).toBe(
      'beach-cutout.png',
    );
  });

  it('is valid on every system, whatever the template and the source are called', () => {
    const text = fc.string({ unit: 'grapheme', maxLength: 300 });
    fc.assert(
      fc.property(text, text, fc.integer({ min: 1, max: 9999 }), (template, sourceName, n) => {
        const name = planName(template, { ...result, sourceName }, n);
        expect(name).toMatch(/\.jpe?g?$/i);
        expect(name).not.toMatch(/[<>:"/\\|?*\p{Cc}]|^[\s.]|[\s.]\.jpg$/u);
        expect(Buffer.byteLength(name)).toBeLessThanOrEqual(255);
      }),
    );
  });
});

describe('the ending of a name', () => {
  it("keeps the source's spelling where the format is the same", () => {
    expect(extensionFor('jpeg', 'IMG_1.JPG')).toBe('JPG');
    expect(extensionFor('jpeg', 'a.jpeg')).toBe('jpeg');
    expect(extensionFor('tiff', 'a.jpg')).toBe('tif');
    expect(extensionFor('png', 'a.gif')).toBe('png');
  });
});

describe('the scale in a name', () => {
  it('is what was asked for, or what a size made', () => {
    expect(scaleInName(4)).toBe(4);
    expect(scaleInName(undefined, { input: { width: 3000 }, output: { width: 4000 } })).toBe(1.33);
    expect(scaleInName(undefined)).toBeUndefined();
  });
});

describe('the size in a name', () => {
  const print = (millimetres: number) => ({
    printSize: { side: 'shortEdge', millimetres, ppi: 300 } as const,
  });

  it('is that on paper, of both sides as they are, in the unit that was meant', () => {
    expect(sizeInName(print(300), { width: 6094, height: 3543 })).toBe('51.6x30cm');
    expect(sizeInName(print(203.2), { width: 2400, height: 3600 })).toBe('8x12in');
    expect(sizeInName({ enlarge: print(100) }, { width: 1181, height: 1772 })).toBe('10x15cm');
  });

  it('is that in pixels of what is no print, and unknown until it is made', () => {
    expect(sizeInName({}, { width: 6000, height: 4000 })).toBe('6000x4000px');
    expect(sizeInName(print(300), undefined)).toBeUndefined();
  });
});
