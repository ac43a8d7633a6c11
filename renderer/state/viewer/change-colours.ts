/** Colours the differences of a picture: not at all up to 2 levels, then from yellow to violet. It is pure. */

/** Nobody sees a difference of so many levels. */
export const unseenLevels = 2;
/** Differences from here on have the strongest colour. */
export const fullLevels = 32;
const [faint, strong] = [
  [255, 214, 60],
  [176, 20, 140],
] as const;
const minAlpha = 90;
const maxAlpha = 235;

/** Returns red, green, blue and alpha of each pixel. `levels` has one difference a pixel, 0..255. */
export function changeColours(levels: Uint8Array): Uint8ClampedArray<ArrayBuffer> {
  const colours = new Uint8ClampedArray(levels.length * 4);
  levels.forEach((level, at) => {
    if (level <= unseenLevels) return;
    const share = Math.min(1, (level - unseenLevels) / (fullLevels - unseenLevels));
    for (let band = 0; band < 3; band += 1) {
      const from = faint[band] ?? 0;
      colours[at * 4 + band] = from + ((strong[band] ?? 0) - from) * share;
    }
    colours[at * 4 + 3] = minAlpha + (maxAlpha - minAlpha) * share;
  });
  return colours;
}
