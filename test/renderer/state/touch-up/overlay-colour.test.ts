/** The overlay is told apart from the photo: it does not take the colour that lies along the subject's edge. */
import { describe, expect, it } from 'vitest';
import {
  distinctColour,
  isLostOn,
  subjectEdge,
} from '../../../../renderer/state/touch-up/overlay-colour.ts';

const [width, height] = [160, 120];
type Colour = readonly [number, number, number];

/** A subject of one colour in the middle of another one. */
function copy(subject: Colour, background: Colour, kept = true) {
  const isSubject = (at: number) => {
    const [x, y] = [at % width, Math.floor(at / width)];
    return x > 40 && x < 120 && y > 30 && y < 90;
  };
  const pixels = new Uint8ClampedArray(width * height * 4);
  const mask = new Uint8Array(width * height);
  for (let at = 0; at < mask.length; at += 1) {
    pixels.set([...(isSubject(at) ? subject : background), 255], at * 4);
    mask[at] = kept && isSubject(at) ? 255 : 0;
  }
  return { width, height, pixels, mask };
}

const grey: Colour = [120, 122, 125];

describe('the colour of the overlay', () => {
  it('is red where the photo is not', () => {
    for (const subject of [grey, [20, 20, 22], [240, 240, 236], [110, 140, 60]] as Colour[])
      expect(distinctColour(copy(subject, grey))).toBe('red');
  });

  it('is not red on a red guitar, nor before a red curtain', () => {
    expect(distinctColour(copy([176, 12, 44], grey))).toBe('green');
    expect(distinctColour(copy([70, 6, 14], grey))).toBe('green');
    expect(distinctColour(copy(grey, [190, 24, 30]))).toBe('green');
  });

  it('is not red on skin, a reddish foot, terracotta and wood, nor green where grass lies beside them', () => {
    const reddish: Colour[] = [
      [200, 140, 115],
      [196, 110, 92],
      [150, 100, 72],
      [96, 58, 40],
      [190, 100, 70],
      [150, 110, 70],
    ];
    for (const subject of reddish) {
      expect(distinctColour(copy(subject, grey)), String(subject)).toBe('green');
      expect(distinctColour(copy(subject, [70, 90, 60])), String(subject)).toBe('blue');
    }
  });

  it('is blue where the photo is red and green', () => {
    expect(distinctColour(copy([176, 12, 44], [20, 140, 50]))).toBe('blue');
  });

  it('is not that of a photo of which nothing is kept', () => {
    expect(distinctColour(copy([176, 12, 44], grey, false))).toBe('green');
    expect(distinctColour(copy(grey, grey, false))).toBe('red');
  });
});

describe('a background', () => {
  const isSeen = (subject: Colour, ground: string) =>
    !isLostOn(subjectEdge(copy(subject, grey)), ground);

  it('hides a subject of its own colour: white on white, black on black', () => {
    expect(isSeen([250, 250, 250], '#ffffff')).toBe(false);
    expect(isSeen([232, 230, 226], '#ffffff')).toBe(false);
    expect(isSeen([6, 6, 8], '#000000')).toBe(false);
  });

  it('shows any other', () => {
    expect(isSeen([250, 250, 250], '#000000')).toBe(true);
    expect(isSeen([190, 190, 190], '#ffffff')).toBe(true);
    expect(isSeen([240, 220, 90], '#ffffff')).toBe(true);
    // What surrounded the subject in the photo does not count.
    expect(isLostOn(subjectEdge(copy(grey, [255, 255, 255])), '#ffffff')).toBe(false);
  });

  it('hides nothing where nothing is kept', () => {
    expect(isLostOn(subjectEdge(copy(grey, grey, false)), '#787a7d')).toBe(false);
  });
});
