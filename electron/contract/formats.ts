/**
 * The file formats, one row each: what all parts of the program know of a format stands here. Imports nothing,
 * so that the engine takes it without the contract's schemas.
 */

interface Format {
  /** As a person writes it. */
  label: string;
  /** Endings of its files in lower case, without the dot; the usual one first. */
  endings: readonly [string, ...string[]];
  mimeType: string;
  /** Whether today's browsers show it. */
  inBrowsers: boolean;
}

/** A format that results are written in. */
interface OutputFormatRow extends Format {
  /** Whether it holds transparency. */
  alpha: boolean;
  /** Most bits of a colour in its file. */
  maxBits: 8 | 10 | 16;
  /** Whether its file holds one grey band; the others hold grey as RGB. */
  grey: boolean;
  /** Whether its file holds IPTC and Photoshop's resources. */
  iptc: boolean;
  /** Whether its file has a place of its own for pixels an inch; the others have EXIF's alone. */
  density: boolean;
  /** Whether quality says something of it, and whether 100 keeps every number then. */
  quality: 'none' | 'lossy' | 'lossless at 100';
  /** Most pixels a side, by the format itself or its encoder. */
  longestSidePx?: number;
  /** Most pixels that its encoder writes with 4 bands, by bits; measured. */
  mostPixels?: { lossy: Record<8 | 16, number>; lossless: Record<8 | 16, number> };
  /** Bytes of memory for each pixel, where its encoder holds the whole picture; measured with sharp 0.35. */
  encoderBytesPerPixel?: number;
  /** Seconds for each megapixel that its encoder may be silent, where it writes at the end. */
  encoderSilenceSeconds?: number;
}

export const outputFormats = ['jpeg', 'png', 'webp', 'tiff', 'avif', 'jxl'] as const;
export type OutputFormat = (typeof outputFormats)[number];

export const formats: Readonly<Record<OutputFormat, OutputFormatRow>> = {
  jpeg: {
    label: 'JPEG',
    endings: ['jpg', 'jpeg', 'jpe'],
    mimeType: 'image/jpeg',
    inBrowsers: true,
    alpha: false,
    maxBits: 8,
    grey: true,
    iptc: true,
    density: true,
    quality: 'lossy',
    longestSidePx: 65_500,
  },
  png: {
    label: 'PNG',
    endings: ['png'],
    mimeType: 'image/png',
    inBrowsers: true,
    alpha: true,
    maxBits: 16,
    grey: true,
    iptc: true,
    density: true,
    quality: 'none',
  },
  webp: {
    label: 'WebP',
    endings: ['webp'],
    mimeType: 'image/webp',
    inBrowsers: true,
    alpha: true,
    maxBits: 8,
    grey: false,
    iptc: false,
    density: false,
    quality: 'lossy',
    longestSidePx: 16_383,
    // Lossless takes 36.
    encoderBytesPerPixel: 40,
    encoderSilenceSeconds: 3,
  },
  tiff: {
    label: 'TIFF',
    endings: ['tif', 'tiff'],
    mimeType: 'image/tiff',
    inBrowsers: false,
    alpha: true,
    maxBits: 16,
    grey: true,
    iptc: true,
    density: true,
    quality: 'none',
  },
  avif: {
    label: 'AVIF',
    endings: ['avif'],
    mimeType: 'image/avif',
    inBrowsers: true,
    alpha: true,
    maxBits: 10,
    grey: false,
    iptc: false,
    density: false,
    quality: 'lossy',
    longestSidePx: 16_384,
    // Full colour takes 76.
    encoderBytesPerPixel: 80,
    encoderSilenceSeconds: 15,
  },
  jxl: {
    label: 'JPEG XL',
    endings: ['jxl'],
    mimeType: 'image/jxl',
    inBrowsers: false,
    alpha: true,
    maxBits: 16,
    grey: true,
    iptc: false,
    density: false,
    quality: 'lossless at 100',
    // Its encoder takes 2048 rows of a picture at once, and its memory ends at 2 GB.
    longestSidePx: 32_768,
    // With loss 24 million of 16 bits took 0.9 GB and 48 million failed; without loss 96 million took 0.7 GB.
    mostPixels: { lossy: { 8: 48e6, 16: 24e6 }, lossless: { 8: 96e6, 16: 96e6 } },
    encoderSilenceSeconds: 5,
  },
};

/** A format that is read and not written, and what a result becomes that would keep it. */
interface InputFormatRow extends Format {
  becomes: OutputFormat;
}

const inputFormats = {
  gif: {
    label: 'GIF',
    endings: ['gif'],
    mimeType: 'image/gif',
    inBrowsers: true,
    becomes: 'png',
  },
  bmp: {
    label: 'BMP',
    endings: ['bmp'],
    mimeType: 'image/bmp',
    inBrowsers: false,
    becomes: 'png',
  },
  heic: {
    label: 'HEIC',
    endings: ['heic', 'heif'],
    mimeType: 'image/heic',
    inBrowsers: false,
    becomes: 'png',
  },
  raw: {
    label: 'RAW',
    endings: ['dng', 'cr2', 'cr3', 'nef', 'arw', 'orf', 'rw2', 'raf'],
    mimeType: 'image/x-raw',
    inBrowsers: false,
    becomes: 'tiff',
  },
} as const satisfies Record<string, InputFormatRow>;

export type ReadableFormat = OutputFormat | keyof typeof inputFormats;

/** Also those of a JPEG 2000, which cannot be read: its row in a list says so. */
export const pictureEndings: readonly string[] = [
  ...Object.values(formats).flatMap(({ endings }) => [...endings]),
  ...Object.values(inputFormats).flatMap(({ endings }) => [...endings]),
  'jp2',
];

const pictureEnding = new RegExp(`\\.(${pictureEndings.join('|')})$`, 'i');

/** By its name alone. Names that begin with a dot are other programs' own, and our unfinished files. */
export function isPictureName(name: string): boolean {
  return !name.startsWith('.') && pictureEnding.test(name);
}

export function isOutputFormat(name: string): name is OutputFormat {
  return Object.hasOwn(formats, name);
}

function isInputFormat(name: string): name is keyof typeof inputFormats {
  return Object.hasOwn(inputFormats, name);
}

/** What `same` means for a source of this format: its own, or what it becomes; PNG for one that is not known. */
export function sameFormat(source: string): OutputFormat {
  if (isOutputFormat(source)) return source;
  return isInputFormat(source) ? inputFormats[source].becomes : 'png';
}

/** The format that files of this ending mostly are; undefined for an ending that no picture has. */
export function formatOfEnding(ending: string): ReadableFormat | undefined {
  const wanted = ending.toLowerCase();
  const rows = { ...formats, ...inputFormats };
  const found = Object.entries(rows).find(([, { endings }]) =>
    (endings as readonly string[]).includes(wanted),
  );
  return found?.[0] as ReadableFormat | undefined;
}

/** As a person writes it; a format that is not known in capitals. */
export function labelOf(format: string): string {
  if (isOutputFormat(format)) return formats[format].label;
  return isInputFormat(format) ? inputFormats[format].label : format.toUpperCase();
}

/** Whether browsers show pictures of this format. */
export function isShownByBrowsers(format: string): boolean {
  if (isOutputFormat(format)) return formats[format].inBrowsers;
  return isInputFormat(format) && inputFormats[format].inBrowsers;
}

/** Whether files of it lose detail: at this quality, or at any but 100 when none is named. */
export function isLossy(format: OutputFormat, quality?: number): boolean {
  const row = formats[format].quality;
  return row === 'lossy' || (row === 'lossless at 100' && quality !== 100);
}

/** Whether a quality means something for it. */
export const hasQuality = (format: OutputFormat): boolean => formats[format].quality !== 'none';

/** Whether it keeps more than 8 bits of a colour. */
export const isDeep = (format: OutputFormat): boolean => formats[format].maxBits > 8;
