import { describe, expect, it } from 'vitest';
import { defaultChoices } from '../../../../packages/contract/src/settings/page.ts';
import { choicesLiked, triedOf } from '../../../../renderer/state/options/dials.ts';

const dials = { restore: 40, grain: 0, sharpen: 10, amount: 70, detail: 60 } as const;
const enlarging = { operation: 'upscale', model: 'faithful', scale: 4, dials } as const;
const cutting = { operation: 'remove-bg', model: 'cutout', scale: 2, dials } as const;
const both = { ...defaultChoices, operation: 'remove-bg', isEnlarged: true } as const;

describe('what was liked on a try', () => {
  it('is the half of a photo that is cut out and enlarged', () => {
    expect(triedOf(both, 'upscale')).toBe('upscale');
    expect(triedOf({ ...both, isEnlarged: false }, 'upscale')).toBe('remove-bg');
    expect(triedOf(defaultChoices, 'remove-bg')).toBe('upscale');
  });

  it('becomes settings of that half alone', () => {
    const { operation, upscaler, remover } = { ...both, ...choicesLiked(enlarging) };
    expect({ operation, upscaler, remover }).toEqual({
      operation: 'remove-bg',
      upscaler: 'faithful',
      remover: '',
    });
    expect(choicesLiked(cutting)).toEqual({ remover: 'cutout' });
  });

  it('keeps a size on paper where no scale was tried', () => {
    const print = { ...defaultChoices, sizing: 'print' } as const;
    const { scale: tried, ...liked } = enlarging;
    expect({ ...print, ...choicesLiked(liked) }.sizing).toBe('print');
    const { sizing, scale } = { ...print, ...choicesLiked({ ...liked, scale: tried }) };
    expect([sizing, scale]).toEqual(['scale', tried]);
  });
});
