/**
 * Chooses the colour that lies over what a cut-out removes, so that it is not one of the photo's own, and finds
 * backgrounds on which the subject is not seen. Pure.
 */
import type { DisplayCopy } from './live-mask.ts';

/** Retouchers know red, so it is the default. */
export const overlayColours = ['red', 'green', 'blue', 'magenta'] as const;
export type OverlayColour = (typeof overlayColours)[number];

export type ColourValues = readonly [number, number, number];

/** Red, green and blue, 0..255. */
const overlayLevels: Record<OverlayColour, ColourValues> = {
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
/** Colours that are less far apart than this in CIE Lab are hard to tell apart under stripes: red and skin are. */
const minDifference = 64;
/** Share of the samples that may be like the overlay before another colour is chosen. */
const maxShare = 0.08;

type EdgeCopy = Pick<DisplayCopy, 'width' | 'height' | 'pixels' | 'mask'>;

/**
 * The first colour that few pixels along the subject's edge are like, else the one that the fewest are like. Where
 * nothing is kept, and so has no edge, all of the photo counts.
 */
export function distinctColour(copy: EdgeCopy): OverlayColour {
  const edge = samplesOf(copy, 'edge');
  const samples = edge.length > 0 ? edge : samplesOf(copy, 'all');
  const shareOf = (colour: OverlayColour) => {
    const own = labOf(overlayLevels[colour]);
    const like = samples.filter((sample) => difference(sample, own) < minDifference);
    return like.length / Math.max(1, samples.length);
  };
  const shares = overlayColours.map((colour) => ({ colour, share: shareOf(colour) }));
  const fewest = shares.reduce((best, one) => (one.share < best.share ? one : best));
  return (shares.find(({ share }) => share <= maxShare) ?? fewest).colour;
}

/** Colours of the subject along its edge, in CIE Lab. */
export const subjectEdge = (copy: EdgeCopy): readonly ColourValues[] =>
  samplesOf(copy, 'inner edge');

/** Colours that are less far apart than this in CIE Lab show no edge between them: white and the grey of paper. */
const minSeenDifference = 15;
/** Share of the edge that may be lost on a background. */
const maxLostShare = 0.5;

/** Whether most of the edge is lost on a background. @param colour #rrggbb */
export function isLostOn(edge: readonly ColourValues[], colour: string): boolean {
  const own = labOf([1, 3, 5].map((at) => Number.parseInt(colour.slice(at, at + 2), 16)));
  const lost = edge.filter((sample) => difference(sample, own) < minSeenDifference);
  return lost.length > maxLostShare * edge.length;
}

function samplesOf(
  { width, height, pixels, mask }: EdgeCopy,
  where: 'all' | 'edge' | 'inner edge',
): ColourValues[] {
  const isKept = (x: number, y: number): boolean => (mask[y * width + x] ?? 0) >= 128;
  const isAtEdge = (x: number, y: number): boolean => {
    const [left, right] = [Math.max(0, x - edgePx), Math.min(width - 1, x + edgePx)];
    const [top, bottom] = [Math.max(0, y - edgePx), Math.min(height - 1, y + edgePx)];
    const around = [isKept(left, y), isKept(right, y), isKept(x, top), isKept(x, bottom)];
    return around.some((kept) => kept !== isKept(x, y));
  };
  const samples: ColourValues[] = [];
  for (let y = 0; y < height; y += stepPx)
    for (let x = 0; x < width; x += stepPx) {
      if (where === 'inner edge' && !isKept(x, y)) continue;
      if (where !== 'all' && !isAtEdge(x, y)) continue;
      const [red = 0, green = 0, blue = 0] = pixels.subarray((y * width + x) * 4);
      samples.push(labOf([red, green, blue]));
    }
  return samples;
}

/** CIE Lab of sRGB levels under D65. */
function labOf(levels: readonly number[]): ColourValues {
  const [red, green, blue] = levels.map((level) => {
    const share = level / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  }) as [number, number, number];
  const [x, y, z] = [
    0.4339 * red + 0.3763 * green + 0.1899 * blue,
    0.2126 * red + 0.7152 * green + 0.0722 * blue,
    0.0177 * red + 0.1095 * green + 0.8728 * blue,
  ].map((share) => (share > 0.008856 ? Math.cbrt(share) : 7.787 * share + 16 / 116)) as [
    number,
    number,
    number,
  ];
  return [116 * y - 16, 500 * (x - y), 200 * (y - z)];
}

const difference = (one: ColourValues, other: ColourValues) =>
  Math.hypot(one[0] - other[0], one[1] - other[1], one[2] - other[2]);
