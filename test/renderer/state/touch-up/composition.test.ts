import { expect, it } from 'vitest';
import { defaultChoices, type Choices } from '../../../../packages/contract/src/settings/page.ts';
import {
  isComposedAnew,
  planComposition,
  recomposedBy,
  subjectBox,
} from '../../../../renderer/state/touch-up/composition.ts';
import { shopPicture } from '../../../../renderer/state/settings/canvas.ts';

const cutout: Choices = { ...defaultChoices, operation: 'remove-bg' };
const [width, height] = [100, 50];
/** A subject of 20 x 30 pixels whose corner lies at 40, 10. */
const mask = Uint8Array.from({ length: width * height }, (_, at) => {
  const [x, y] = [at % width, Math.floor(at / width)];
  return x >= 40 && x < 60 && y >= 10 && y < 40 ? 255 : 0;
});
const copy = { width, height, mask };
const photo = { width: 1000, height: 500 };

it('finds the subject, and nothing on an empty mask', () => {
  expect(subjectBox(copy)).toEqual({ x: 40, y: 10, width: 20, height: 30 });
  expect(subjectBox({ ...copy, mask: new Uint8Array(width * height) })).toBeUndefined();
});

it('leaves the photo as it is without a canvas and a crop', () => {
  expect(planComposition(copy, photo, cutout)).toMatchObject({ canvas: photo, factor: 1 });
});

it('stands the subject in the middle of the square of a shop picture', () => {
  const plan = planComposition(copy, photo, { ...cutout, ...shopPicture });
  expect(plan?.canvas).toEqual({ width: 2000, height: 2000 });
  expect(plan?.part).toEqual({ x: 400, y: 100, width: 200, height: 300 });
  expect(plan?.target.height).toBe(1700);
  expect(plan?.target.y).toBe(150);
});

it('crops with a margin in percent of the longer side', () => {
  const plan = planComposition(copy, photo, { ...cutout, isCropped: true, cropMargin: 10 });
  expect(plan?.canvas).toEqual({ width: 260, height: 360 });
});

it('is shown only for what composes a cut-out anew', () => {
  expect(isComposedAnew(cutout, { ...cutout, background: '#ffffff' })).toBe(true);
  expect(isComposedAnew(cutout, { ...cutout, feather: 3 })).toBe(false);
  expect(isComposedAnew(cutout, { ...cutout, background: 'blur', maskOnly: true })).toBe(false);
  expect(isComposedAnew(defaultChoices, { ...defaultChoices, background: 'blur' })).toBe(false);
});

it('shows a finished cut-out by changed settings, and an enlargement never', () => {
  const draft = { ...cutout, ...shopPicture };
  const finished = { phase: 'FINISHED', choices: cutout, versions: { draft } };
  expect(recomposedBy(finished)).toBe(draft);
  expect(recomposedBy({ ...finished, phase: 'PROCESSING' })).toBeUndefined();
  expect(recomposedBy({ ...finished, versions: { draft: cutout } })).toBeUndefined();
  expect(recomposedBy({ ...finished, versions: { draft: undefined } })).toBeUndefined();
  expect(recomposedBy({ ...finished, choices: defaultChoices })).toBeUndefined();
});
