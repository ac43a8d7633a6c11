import { describe, expect, it } from 'vitest';
import { defaultChoices } from '../../../../packages/contract/src/settings/page.ts';
import { choicesOf, requestOf } from '../../../../renderer/state/options/choices.ts';
import { dependsOnSize, fitToPhoto } from '../../../../renderer/state/options/fit-to-photo.ts';
import { overhang, paperName, papers } from '../../../../renderer/state/options/paper.ts';
import { shopPicture } from '../../../../renderer/state/settings/canvas.ts';

const shop = { ...defaultChoices, operation: 'remove-bg' as const, ...shopPicture };
const square = (side: number) => ({ sourceSize: { width: side, height: side } });
const enlargeOf = (photo: Parameters<typeof requestOf>[2]) =>
  requestOf(shop, [], photo).options.enlarge;

describe('a shop picture', () => {
  it.each([
    [1640, 2],
    [1000, 2],
    [512, 4],
    [300, 8],
    [100, 8],
  ])('of a photo of %i pixels is enlarged %i times', (side, scale) =>
    expect(enlargeOf(square(side))).toEqual({ scale }),
  );

  it('of a photo that is large enough is cut out alone', () => {
    expect(enlargeOf(square(2000))).toBeUndefined();
    expect(enlargeOf({ sourceSize: { width: 3000, height: 1200 } })).toBeUndefined();
  });

  it('is enlarged by the set scale where the size is unknown, and so in a preset', () => {
    expect(enlargeOf({})).toEqual({ scale: 2 });
    expect(choicesOf(requestOf(shop))).toMatchObject({ isEnlarged: true, isOnCanvas: true });
  });

  it('knows the size from the service before the page', () => {
    const photo = { ...square(3000), estimate: { input: { width: 500, height: 400 } } };
    expect(enlargeOf(photo)).toEqual({ scale: 4 });
  });

  it('is only cut out where a person chose that', () => {
    const { options } = requestOf({ ...shop, isEnlarged: false }, [], square(512));
    expect(options).not.toHaveProperty('enlarge');
  });

  it('is enlarged for its canvas in either order, and without one by the set scale', () => {
    const after = { ...shop, enlargeFirst: 'cutout' as const, scale: 4 as const };
    const { enlarge } = requestOf(after, [], square(1640)).options;
    expect(enlarge).toEqual({ scale: 2, first: 'cutout' });
    const plain = { ...after, isOnCanvas: false };
    expect(dependsOnSize(plain)).toBe(false);
    expect(fitToPhoto(plain, { width: 512, height: 512 })).toBe(plain);
  });
});

const print = { ...defaultChoices, sizing: 'print' as const, printPaper: '300x400' };

describe('a print on a paper', () => {
  it.each([
    ['660x820', 'longEdge', 400],
    ['820x660', 'longEdge', 400],
    ['800x400', 'shortEdge', 300],
    ['300x400', 'shortEdge', 300],
  ])('covers it with a photo of %s by its %s', (size, side, millimetres) => {
    const [width = 0, height = 0] = size.split('x').map(Number);
    const { options } = requestOf(print, [], { sourceSize: { width, height } });
    expect(options).toMatchObject({
      printSize: { side, millimetres, ppi: 300 },
      name: '{name}-{size}',
    });
  });

  it('says how far the photo sticks out', () => {
    expect(overhang('300x400', { width: 660, height: 820 })).toBeCloseTo(21.95);
    expect(overhang('300x400', { width: 400, height: 300 })).toBeCloseTo(0);
  });

  it('is found again in a task and in a preset', () => {
    const request = requestOf(print, [], { sourceSize: { width: 660, height: 820 } });
    expect(choicesOf(request)).toMatchObject({ printPaper: '300x400', name: '' });
    for (const paper of Object.values(papers).flat())
      expect(choicesOf(requestOf({ ...print, printPaper: paper })).printPaper).toBe(paper);
    const earlier = { ...request.options, name: '{name}-30x40cm' };
    expect(choicesOf({ ...request, options: earlier })).toMatchObject({ printPaper: '300x400' });
  });

  it('is named as people name papers', () => {
    const all = Object.values(papers).flat();
    expect(all.map((paper) => paperName(paper)).join(' ')).toBe(
      '10x15cm 13x18cm 20x30cm 30x40cm 40x50cm 50x70cm A4 A3 A2 4x6in 5x7in 8x10in 11x14in 16x20in',
    );
  });
});

describe('the file of a print', () => {
  it('is named by the length of its side', () => {
    const lengths = { 400: '40cm', 406.4: '16in', 254: '10in', 1270: '127cm', 322.5: '32.25cm' };
    for (const [millimetres, named] of Object.entries(lengths)) {
      const choices = { ...print, printPaper: '', printMillimetres: Number(millimetres) };
      const request = requestOf(choices);
      expect(request.options.name).toBe(`{name}-${named}`);
      expect(choicesOf(request)).toMatchObject({ name: '', printPaper: '' });
    }
  });

  it('has the name that a person chose', () => {
    const { options } = requestOf({ ...print, name: 'wall-{name}' });
    expect(options.name).toBe('wall-{name}');
    expect(choicesOf({ operation: 'upscale', options }).name).toBe('wall-{name}');
  });

  it('of another size has the usual name', () =>
    expect(requestOf(defaultChoices).options).not.toHaveProperty('name'));
});
