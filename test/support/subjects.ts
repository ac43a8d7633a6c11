/** Pictures with a subject that can be said beforehand: a bright box on dark ground. */
import { photo, type Pixels } from './images.ts';

export interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** Ground up to 80 of 255, and in the box 190 and more. */
export function subjectPhoto(width: number, height: number, box: Box): Pixels {
  const picture = photo(width, height);
  const data = picture.data.map((value, i) => {
    const x = Math.floor(i / 3) % width;
    const y = Math.floor(i / 3 / width);
    return isIn(box, x, y) ? 190 + Math.round(value / 4) : Math.round(value / 3.2);
  });
  return { ...picture, data };
}

/**
 * A smooth orange box on smooth dark ground. The shipped network keeps all of the box and nothing else, while
 * the texture of `subjectPhoto` is no subject to it.
 */
export function plainSubject(width: number, height: number, box: Box): Pixels {
  const data = new Uint8Array(width * height * 3);
  for (let y = 0; y < height; y += 1)
    for (let x = 0; x < width; x += 1) {
      const ground = 50 + (38 * y) / height;
      const colour = isIn(box, x, y)
        ? [230 - (45 * (x - box.x)) / box.width, 90 - (27 * (y - box.y)) / box.height, 60]
        : [ground, ground + 10, ground + 20];
      data.set(colour, (y * width + x) * 3);
    }
  return { data, width, height, channels: 3 };
}

const isIn = (box: Box, x: number, y: number) =>
  x >= box.x && y >= box.y && x < box.x + box.width && y < box.y + box.height;

/** The samples of one pixel. */
export function pixelAt({ data, width, channels }: Pixels, x: number, y: number): number[] {
  const at = (y * width + x) * channels;
  return [...data.slice(at, at + channels)];
}
