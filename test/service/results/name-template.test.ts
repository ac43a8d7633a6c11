import { describe, expect, it } from 'vitest';
import fc from 'fast-check';
import { planName } from '../../../electron/service/results/name-template.ts';

const fields = { name: 'beach', scale: 4, model: 'faithful', date: '2026-11-21', ext: 'jpg' };

describe('a name', () => {
  it.each([
    ['{name}-{scale}x', 1, 'beach-4x.jpg'],
    ['{name}-{scale}x', 2, 'beach-4x (2).jpg'],
    ['{date}_{model}_{name}.{ext}', 1, '2026-11-21_faithful_beach.jpg'],
    ['{name}.jpg', 1, 'beach.jpg'],
    ['{name}.jpeg', 3, 'beach (3).jpg'],
    ['{name}.png', 1, 'beach.png.jpg'],
    ['print {n}', 7, 'print 7.jpg'],
    ['{unknown} {name}', 1, '{unknown} beach.jpg'],
    ['../../{name}', 1, '_.._beach.jpg'],
    ['a/b\\c:d*e?f"g<h>i|j', 1, 'a_b_c_d_e_f_g_h_i_j.jpg'],
    ['con', 1, '_con.jpg'],
    ['LPT1.old', 1, '_LPT1.old.jpg'],
    ['...', 1, 'image.jpg'],
    ['  .hidden. ', 1, 'hidden.jpg'],
  ])('from %j, the %d. is %j', (template, n, name) => {
    expect(planName(template, fields, n)).toBe(name);
  });

  it('keeps the name as a person wrote it, in any script', () => {
    expect(planName('{name}', { ...fields, name: 'Ærø – 海岸 🏖' }, 1)).toBe('Ærø – 海岸 🏖.jpg');
  });

  it('is valid on every system, whatever the template and the source are called', () => {
    const text = fc.string({ unit: 'grapheme', maxLength: 300 });
    fc.assert(
      fc.property(text, text, fc.integer({ min: 1, max: 9999 }), (template, source, n) => {
        const name = planName(template, { ...fields, name: source }, n);
        expect(name).toMatch(/\.jpg$/);
        expect(name).not.toMatch(/[<>:"/\\|?*\p{Cc}]|^[\s.]|[\s.]\.jpg$/u);
        expect(Buffer.byteLength(name)).toBeLessThanOrEqual(255);
      }),
    );
  });
});
