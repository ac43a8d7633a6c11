/** Chooses the colour that lies over what a cut-out removes, so that it is not one of the photo's own. Pure. */
import type { DisplayCopy } from './live-mask.ts';

/** Retouchers know red, so it is the default. */
export const overlayColours = ['red', 'green', 'blue', 'magenta'] as const;
export type OverlayColour = (typeof overlayColours)[number];

/** Red, green and blue, 0..255. */
export const overlayLevels: Record<OverlayColour, readonly [number, number, number]> = {
  red: [214, 40, 28],
  green: [22, 168, 62],
  blue: [36, 92, 236],
  magenta: [214, 40, 206],
};

/** Stripes are seen on any colour, also by people who do not tell the hues apart. */
const [stripeOpacity, gapOpacity] = [0.72, 0.46];

/** CSS colours of the overlay's stripes and of the gaps between them. */
export const overlayFills = (colour: OverlayColour): readonly [stripe: string, gap: string] => {
  const levels = overlayLevels[colour].join(' ');
  return [`rgb(${levels} / ${100 * stripeOpacity}%)`, `rgb(${levels} / ${100 * gapOpacity}%)`];
};

/** Distance between samples, and how far from the subject's edge they count, in pixels of the copy. */
const [stepPx, edgePx] = [4, 12];
/** Weaker colours, such as skin, look unlike the overlay, which is strong everywhere. */
const [minChroma, minSaturation] = [60, 0.62];
const maxHueDistance = 40;
/** Share of the samples that may have the hue of red before another colour is chosen. */
const maxShare = 0.08;

type EdgeCopy = Pick<DisplayCopy, 'width' | 'height' | 'pixels' | 'mask'>;

/** The colour that the fewest pixels along the subject's edge have; red where few have it. */
export function distinctColour(copy: EdgeCopy): OverlayColour {
  const hues = huesAlongEdge(copy);
  const shareOf = (colour: OverlayColour) => {
    const own = hueOf(...overlayLevels[colour]) ?? 0;
    const near = hues.filter((hue) => hue !== undefined && distance(hue, own) < maxHueDistance);
    return near.length / Math.max(1, hues.length);
  };
  if (shareOf('red') <= maxShare) return 'red';
  return overlayColours.reduce((best, one) => (shareOf(one) < shareOf(best) ? one : best));
}

/** The hue of each sample in degrees; undefined where it has none. */
function huesAlongEdge({ width, height, pixels, mask }: EdgeCopy): (number | undefined)[] {
  const isKept = (x: number, y: number): boolean => (mask[y * width + x] ?? 0) >= 128;
  const isAtEdge = (x: number, y: number): boolean => {
    const [left, right] = [Math.max(0, x - edgePx), Math.min(width - 1, x + edgePx)];
    const [top, bottom] = [Math.max(0, y - edgePx), Math.min(height - 1, y + edgePx)];
    const around = [isKept(left, y), isKept(right, y), isKept(x, top), isKept(x, bottom)];
    return around.some((kept) => kept !== isKept(x, y));
  };
  const hues: (number | undefined)[] = [];
  for (let y = 0; y < height; y += stepPx)
    for (let x = 0; x < width; x += stepPx) {
      if (!isAtEdge(x, y)) continue;
      const at = (y * width + x) * 4;
      hues.push(hueOf(pixels[at] ?? 0, pixels[at + 1] ?? 0, pixels[at + 2] ?? 0));
    }
  return hues;
}

/** Hue in degrees; undefined where the colour is weak. */
function hueOf(red: number, green: number, blue: number): number | undefined {
  const max = Math.max(red, green, blue);
  const chroma = max - Math.min(red, green, blue);
  if (chroma < minChroma || chroma < minSaturation * max) return undefined;
  const sixth =
    max === red
      ? (green - blue) / chroma
      : max === green
        ? 2 + (blue - red) / chroma
        : 4 + (red - green) / chroma;
  return (60 * sixth + 360) % 360;
}

function distance(one: number, other: number): number {
  const apart = Math.abs(one - other);
  return Math.min(apart, 360 - apart);
}
