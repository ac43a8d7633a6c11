import { expect, it } from 'vitest';
import { defaultChoices } from '../../../../packages/contract/src/settings/page.ts';
import { shopPictureOptions } from '../../../../packages/contract/src/settings/shop-picture.ts';
import { choicesOf } from '../../../../renderer/state/options/choices.ts';
import {
  canvasOf,
  canvasSizes,
  shopPicture,
  sizeOfCanvas,
} from '../../../../renderer/state/settings/canvas.ts';

it('finds each named canvas again, and another size as one of its own', () => {
  for (const kind of [
    'none',
    ...(Object.keys(canvasSizes) as (keyof typeof canvasSizes)[]),
  ] as const)
    expect(canvasOf({ ...defaultChoices, ...sizeOfCanvas(kind) })).toBe(kind);
  expect(canvasOf({ isOnCanvas: true, canvasWidth: 1234, canvasHeight: 999 })).toBe('own');
});

it('makes a white square of a shop picture', () => {
  const choices = { ...defaultChoices, background: 'blur', isCropped: true, ...shopPicture };
  expect(canvasOf(choices)).toBe('square');
  expect(choices).toMatchObject({
    background: '#ffffff',
    format: 'jpeg',
    isCropped: false,
    canvasWidth: 2000,
  });
});

it('sets for a shop picture what the preset of that name sets', () => {
  const operation = 'remove-bg' as const;
  const preset = choicesOf({ operation, options: shopPictureOptions });
  const usual = { ...defaultChoices, saveTo: '', operation };
  expect({ ...usual, quality: 92, ...shopPicture }).toEqual({ ...preset, isEnlarged: true });
});
