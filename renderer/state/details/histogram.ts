/** Counts how often each level occurs in a picture, by a reduced copy of it. */

export const channels = ['red', 'green', 'blue', 'luma'] as const;
type Channel = (typeof channels)[number];

export interface Histogram {
  /** Each channel has 256 levels, and each level is its share of the pixels, 0 to 1. */
  readonly levels: Readonly<Record<Channel, Float64Array>>;
  /** Shares of the pixels, 0 to 1, that are nearly black and nearly white. */
  readonly black: number;
  readonly white: number;
}

const sidePx = 512;

/**
 * Counts the levels of RGBA pixels of 8 bits. Fully transparent pixels do not count. Luma is that of Rec. 709
 * on the encoded values.
 */
export function histogramOf(rgba: Uint8ClampedArray): Histogram {
  const levels = {
    red: new Float64Array(256),
    green: new Float64Array(256),
    blue: new Float64Array(256),
    luma: new Float64Array(256),
  };
  let counted = 0;
  for (let at = 0; at < rgba.length; at += 4) {
    if (rgba[at + 3] === 0) continue;
    const [red = 0, green = 0, blue = 0] = rgba.subarray(at, at + 3);
    add(levels.red, red);
    add(levels.green, green);
    add(levels.blue, blue);
    add(levels.luma, Math.round(0.2126 * red + 0.7152 * green + 0.0722 * blue));
    counted += 1;
  }
  for (const channel of channels)
    levels[channel] = levels[channel].map((count) => count / Math.max(1, counted));
  return { levels, black: sum(levels.luma, 0, 2), white: sum(levels.luma, 253, 255) };
}

function add(levels: Float64Array, level: number): void {
  levels[level] = (levels[level] ?? 0) + 1;
}

function sum(levels: Float64Array, from: number, to: number): number {
  return levels.slice(from, to + 1).reduce((total, share) => total + share, 0);
}

/** Draws an SVG outline over 256 x `height` units. Shares above `top` are cut there. */
export function outlineOf(levels: Float64Array, top: number, height: number): string {
  const points = Array.from(levels, (share, level) => {
    const y = height - Math.min(1, top === 0 ? 0 : share / top) * height;
    return `L${level} ${y.toFixed(1)}`;
  });
  return `M0 ${height}${points.join('')}L255 ${height}Z`;
}

/** Returns the share that reaches the top: the highest inner level's, at most eight times the mean. */
export function topOf({ levels }: Histogram): number {
  const highest = channels.map((channel) => Math.max(...levels[channel].subarray(2, 254)));
  return Math.min(8 / 256, Math.max(...highest));
}

/** Reads a histogram, decoding off the page's thread; undefined where the browser cannot read the picture. */
export async function readHistogram(picture: Blob | string): Promise<Histogram | undefined> {
  try {
    const blob = typeof picture === 'string' ? await (await fetch(picture)).blob() : picture;
    const bitmap = await createImageBitmap(blob);
    const shrink = Math.min(1, sidePx / Math.max(bitmap.width, bitmap.height));
    const width = Math.max(1, Math.round(bitmap.width * shrink));
    const height = Math.max(1, Math.round(bitmap.height * shrink));
    const context = new OffscreenCanvas(width, height).getContext('2d');
    context?.drawImage(bitmap, 0, 0, width, height);
    bitmap.close();
    const data = context?.getImageData(0, 0, width, height).data;
    return data && histogramOf(data);
  } catch (error) {
    if (error instanceof DOMException || error instanceof TypeError) return undefined;
    throw error;
  }
}
