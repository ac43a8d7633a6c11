import { expect, it } from 'vitest';
import { defaultChoices, type Choices } from '../../../../packages/contract/src/settings/page.ts';
import { withOwnSize } from '../../../../renderer/state/options/own-size.ts';
import { shopPicture } from '../../../../renderer/state/settings/canvas.ts';

const before: Choices = {
  ...defaultChoices,
  ...({ sizing: 'longEdge', sidePx: 5000, scale: 16, quality: 50 } as const),
};
const after = (made: Partial<Choices>) => withOwnSize({ ...defaultChoices, ...made }, before);

it('is kept by a cut-out, and where the canvas decided how far it grew', () => {
  const onCanvas = { operation: 'remove-bg', ...shopPicture, scale: 8 } as const;
  for (const made of [{ operation: 'remove-bg' } as const, onCanvas])
    expect(after(made)).toEqual({
      ...{ ...defaultChoices, ...made },
      ...({ sizing: 'longEdge', sidePx: 5000, scale: 16 } as const),
    });
});

it('is that of the task where a person chose it', () => {
  expect(after({ scale: 4 })).toEqual({ ...defaultChoices, scale: 4 });
  const both = { operation: 'remove-bg', isEnlarged: true, scale: 4 } as const;
  expect(after(both)).toEqual({ ...defaultChoices, ...both });
});
