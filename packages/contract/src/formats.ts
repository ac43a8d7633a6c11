/**
 * One row per file format, with everything the program knows of it. Imports nothing, so that the engine can
 * use it without the contract's schemas.
 */

/** y = factor * x^exponent. */
export type PowerLaw = readonly [factor: number, exponent: number];

/**
 * Bytes per pixel of a result: ln(bytes) = at + slope * ln(detail) at twice the width; `step` and `slopeStep`
 * are added per further doubling. Least-squares fit over crops of 352 x 256 pixels, enlarged with Natural;
 * `npm run bench:sizes` measures its error.
 */
export interface SizeLaw {
  at: number;
  slope: number;
  step: number;
  slopeStep: number;
}

/** Laws of a lossy format, by rising quality. */
export type SizeKnots = readonly [SizeKnot, ...SizeKnot[]];
export type SizeKnot = readonly [quality: number, law: SizeLaw];

/**
 * File size. Lossy formats have laws by quality, lossless ones a single law, and a format that is lossless at
 * quality 100 only has both.
 */
type FileSize = {
  /** Bytes per pixel that one level of grain adds at quality 85; lossless: the law of all levels. */
  grain: { lossy: number; exact: PowerLaw };
} & ({ lossy: SizeKnots; exact?: undefined } | { exact: SizeLaw; lossy?: SizeKnots });

const law = (at: number, slope: number, step: number, slopeStep: number): SizeLaw => ({
  at,
  slope,
  step,
  slopeStep,
});

const avifKnots: SizeKnots = [
  [60, law(-1.16, 1.33, -0.65, -0.1)],
  [92, law(-0.17, 1.25, -0.6, -0.1)],
];

const exactGrain: PowerLaw = [0.19, 0.57];

export interface Format {
  /** Name for people. */
  label: string;
  /** File extensions, lower case without dot; the default first. */
  endings: readonly [string, ...string[]];
  /** Extensions that are read but never written: alternative names, and files with several pictures. */
  otherEndings?: readonly string[];
  mimeType: string;
  /** Uniform Type Identifiers (macOS). */
  uniformTypes: readonly [string, ...string[]];
  /** Types of shared-mime-info (Linux), if they differ from `mimeType`. */
  sharedMimeTypes?: readonly string[];
  /** True if current browsers display it. */
  inBrowsers: boolean;
  /**
   * Detail of a photo from its bytes per pixel, lossy and lossless. Absent where size says nothing, and for
   * JPEG, whose quality is read.
   */
  detail?: {
    lossy?: PowerLaw;
    exact?: PowerLaw;
    /** Only the upper 8 bits count: the lower ones are incompressible noise. */
    ofUpperBits?: true;
    /** Files may be uncompressed; their size then says nothing. */
    mayBeUnpacked?: true;
  };
}

/** A format that results are written in. */
interface OutputFormatRow extends Format {
  /** Supports transparency. */
  alpha: boolean;
  /** Maximum bits per channel. */
  maxBits: 8 | 10 | 16;
  /** Supports a single grey channel; the others store grey as RGB. */
  grey: boolean;
  /** Stores IPTC and Photoshop resources. */
  iptc: boolean;
  /** Stores the frames of an animation. */
  animated?: true;
  /** Stores neither a colour profile nor EXIF. */
  bare?: true;
  /** Has a density field of its own; the others have only EXIF's. */
  density: boolean;
  /** Effect of the quality option. */
  quality: 'none' | 'lossy' | 'lossless at 100';
  /** Maximum pixels per side, of the format or its encoder. */
  maxSidePx?: number;
  /** Maximum pixels (4 channels) that its encoder was measured to write, by bits. */
  maxPixels?: { lossy: Record<8 | 16, number>; lossless: Record<8 | 16, number> };
  /** Encoder memory per pixel; it holds the whole picture. Measured with sharp 0.35. */
  encoderBytesPerPixel?: number;
  /** The encoder writes at the end, and may be silent for this many seconds per megapixel. */
  encoderSilenceSeconds?: number;
  size: FileSize;
}

export const outputFormats = ['jpeg', 'png', 'webp', 'tiff', 'avif', 'jxl', 'gif'] as const;
export type OutputFormat = (typeof outputFormats)[number];

export const formats: Readonly<Record<OutputFormat, OutputFormatRow>> = {
  jpeg: {
    label: 'JPEG',
    endings: ['jpg', 'jpeg', 'jpe'],
    otherEndings: ['jfif', 'jfi', 'jif', 'pjpeg', 'pjp', 'mpo'],
    mimeType: 'image/jpeg',
    uniformTypes: ['public.jpeg'],
    inBrowsers: true,
    alpha: false,
    maxBits: 8,
    grey: true,
    iptc: true,
    density: true,
    quality: 'lossy',
    maxSidePx: 65_500,
    size: {
      lossy: [
        [80, law(-0.68, 1.12, -0.46, -0.02)],
        [92, law(-0.18, 1, -0.43, -0.09)],
        [97, law(0.13, 0.82, -0.45, -0.15)],
      ],
      grain: { lossy: 0.013, exact: exactGrain },
    },
  },
  png: {
    label: 'PNG',
    endings: ['png'],
    otherEndings: ['apng'],
    mimeType: 'image/png',
    uniformTypes: ['public.png'],
    inBrowsers: true,
    detail: { exact: [0.137, 0.88], ofUpperBits: true },
    alpha: true,
    maxBits: 16,
    grey: true,
    iptc: true,
    animated: true,
    density: true,
    quality: 'none',
    size: {
      exact: law(1.59, 0.75, -0.11, -0.02),
      grain: { lossy: 0, exact: exactGrain },
    },
  },
  webp: {
    label: 'WebP',
    endings: ['webp'],
    mimeType: 'image/webp',
    uniformTypes: ['org.webmproject.webp'],
    inBrowsers: true,
    detail: { lossy: [1.053, 0.68], exact: [0.236, 1.08] },
    alpha: true,
    maxBits: 8,
    grey: false,
    iptc: false,
    animated: true,
    density: false,
    quality: 'lossy',
    maxSidePx: 16_383,
    // 36 without loss.
    encoderBytesPerPixel: 40,
    encoderSilenceSeconds: 3,
    size: {
      lossy: [
        [80, law(-0.83, 1.38, -0.71, -0.1)],
        [92, law(-0.29, 1.31, -0.62, -0.07)],
      ],
      grain: { lossy: 0.013, exact: exactGrain },
    },
  },
  tiff: {
    label: 'TIFF',
    endings: ['tif', 'tiff'],
    mimeType: 'image/tiff',
    uniformTypes: ['public.tiff'],
    inBrowsers: false,
    detail: { exact: [0.141, 1.12], ofUpperBits: true, mayBeUnpacked: true },
    alpha: true,
    maxBits: 16,
    grey: true,
    iptc: true,
    density: true,
    quality: 'none',
    size: {
      exact: law(1.17, 0.72, -0.35, -0.12),
      grain: { lossy: 0, exact: [0.15, 0.67] },
    },
  },
  avif: {
    label: 'AVIF',
    endings: ['avif'],
    otherEndings: ['avifs'],
    mimeType: 'image/avif',
    uniformTypes: ['public.avif'],
    inBrowsers: true,
    detail: { lossy: [1.58, 0.78] },
    alpha: true,
    maxBits: 10,
    grey: false,
    iptc: false,
    density: false,
    quality: 'lossy',
    maxSidePx: 16_384,
    // 76 without chroma subsampling.
    encoderBytesPerPixel: 80,
    encoderSilenceSeconds: 15,
    size: { lossy: avifKnots, grain: { lossy: 0.018, exact: exactGrain } },
  },
  jxl: {
    label: 'JPEG XL',
    endings: ['jxl'],
    mimeType: 'image/jxl',
    uniformTypes: ['public.jpeg-xl'],
    inBrowsers: false,
    detail: { lossy: [1.4, 0.78], exact: [0.25, 1.08] },
    alpha: true,
    maxBits: 16,
    grey: true,
    iptc: false,
    density: false,
    quality: 'lossless at 100',
    // The encoder takes 2048 rows at once, and its memory is limited to 2 GB.
    maxSidePx: 32_768,
    // Measured: lossy, 24 million pixels of 16 bits took 0.9 GB and 48 million failed; lossless, 96 million
    // took 0.7 GB.
    maxPixels: { lossy: { 8: 48e6, 16: 24e6 }, lossless: { 8: 96e6, 16: 96e6 } },
    encoderSilenceSeconds: 5,
    size: {
      exact: law(1.25, 0.75, -0.11, -0.02),
      lossy: avifKnots,
      grain: { lossy: 0.018, exact: exactGrain },
    },
  },
  gif: {
    label: 'GIF',
    endings: ['gif'],
    mimeType: 'image/gif',
    uniformTypes: ['com.compuserve.gif'],
    inBrowsers: true,
    alpha: true,
    maxBits: 8,
    grey: false,
    iptc: false,
    animated: true,
    bare: true,
    density: false,
    quality: 'none',
    maxSidePx: 65_535,
    // Fitted to such crops enlarged by Lanczos.
    size: {
      exact: law(0.6, 0.75, -0.07, 0.07),
      grain: { lossy: 0, exact: [0.02, 0.57] },
    },
  },
};

/** A format that is read but not written; `becomes` is the format of results for `same`. */
interface InputFormatRow extends Format {
  becomes: OutputFormat;
}

// prettier-ignore
const rawEndings = [
  '3fr', 'ari', 'bay', 'cap', 'crw', 'dcr', 'dcs', 'drf', 'erf', 'fff', 'gpr', 'iiq', 'k25', 'kdc', 'mdc', 'mef',
  'mos', 'mrw', 'nrw', 'ori', 'pef', 'ptx', 'pxn', 'raw', 'rwl', 'rwz', 'sr2', 'srf', 'srw', 'sti', 'x3f',
] as const;

const inputFormats = {
  bmp: {
    label: 'BMP',
    endings: ['bmp'],
    otherEndings: ['dib'],
    mimeType: 'image/bmp',
    uniformTypes: ['com.microsoft.bmp'],
    inBrowsers: false,
    becomes: 'png',
  },
  heic: {
    label: 'HEIC',
    endings: ['heic', 'heif'],
    otherEndings: ['hif', 'heics', 'heifs'],
    mimeType: 'image/heic',
    uniformTypes: ['public.heic', 'public.heif'],
    sharedMimeTypes: ['image/heif', 'image/heic'],
    inBrowsers: false,
    detail: { lossy: [1.58, 0.78] },
    becomes: 'png',
  },
  raw: {
    label: 'RAW',
    endings: ['dng', 'cr2', 'cr3', 'nef', 'arw', 'orf', 'rw2', 'raf'],
    // Further extensions that LibRaw reads.
    otherEndings: rawEndings,
    mimeType: 'image/x-raw',
    uniformTypes: ['public.camera-raw-image'],
    sharedMimeTypes: [
      'image/x-adobe-dng',
      'image/x-canon-cr2',
      'image/x-canon-cr3',
      'image/x-nikon-nef',
      'image/x-sony-arw',
      'image/x-olympus-orf',
      'image/x-panasonic-rw2',
      'image/x-fuji-raf',
    ],
    inBrowsers: false,
    becomes: 'tiff',
  },
} as const satisfies Record<string, InputFormatRow>;

export type ReadableFormat = OutputFormat | keyof typeof inputFormats;

/** Every format that is read, writable ones first. */
export const readableFormats: Readonly<Record<ReadableFormat, Format>> = {
  ...formats,
  ...inputFormats,
};

/** Includes JPEG 2000, which cannot be read: its row in a list says so. */
export const pictureEndings: readonly string[] = [
  ...Object.values(readableFormats).flatMap(({ endings, otherEndings = [] }) => [
    ...endings,
    ...otherEndings,
  ]),
  'jp2',
];

const pictureEnding = new RegExp(`\\.(${pictureEndings.join('|')})$`, 'i');

/** By name only. Names with a leading dot belong to other programs, or are unfinished files. */
export function isPictureName(name: string): boolean {
  return !name.startsWith('.') && pictureEnding.test(name);
}

/** Folders of NAS systems, desktops and catalogues with copies, previews and deleted files. */
const systemFolders = new Set([
  '@eadir',
  '@recycle',
  '@recently-snapshot',
  '@tmp',
  '@__thumb',
  '#recycle',
  '#snapshot',
  '$recycle.bin',
  'recycler',
  'system volume information',
  'lost+found',
  '.trashes',
  '.trash',
  '.thumbnails',
  '.spotlight-v100',
  '.fseventsd',
  '__macosx',
]);

/** Preview folders of Lightroom, libraries of Aperture and Photos. */
const previewFolder = /\.(?:lrdata|lrcat-data|lrlibrary|cocatalogdb|cosessiondb)$/i;

/** True for folders that contain no photos of the person. */
export const isSystemFolderName = (name: string): boolean =>
  systemFolders.has(name.toLowerCase()) || previewFolder.test(name);

export function isOutputFormat(name: string): name is OutputFormat {
  return Object.hasOwn(formats, name);
}

function isInputFormat(name: string): name is keyof typeof inputFormats {
  return Object.hasOwn(inputFormats, name);
}

/**
 * Format for `same`: the source's own, its `becomes`, or PNG for an unknown one. A GIF stays one only where
 * it moves: enlarged photos have more than its 256 colours.
 */
export function sameFormat(source: string, isAnimated = false): OutputFormat {
  if (source === 'gif' && !isAnimated) return 'png';
  if (isOutputFormat(source)) return source;
  return isInputFormat(source) ? inputFormats[source].becomes : 'png';
}

/** Format of a file extension; undefined for one that is no picture's. */
export function formatOfEnding(ending: string): ReadableFormat | undefined {
  const wanted = ending.toLowerCase();
  const found = Object.entries(readableFormats).find(
    ([, { endings, otherEndings = [] }]) =>
      endings.includes(wanted) || otherEndings.includes(wanted),
  );
  return found?.[0] as ReadableFormat | undefined;
}

const rowOf = (format: string): Format | undefined =>
  Object.hasOwn(readableFormats, format) ? readableFormats[format as ReadableFormat] : undefined;

/** Name for people; an unknown format in capitals. */
export const labelOf = (format: string): string => rowOf(format)?.label ?? format.toUpperCase();

export const isShownByBrowsers = (format: string): boolean => rowOf(format)?.inBrowsers ?? false;

/** Law that derives detail from file size; undefined where size says nothing. */
export function detailLawOf(format: string, isLossless: boolean) {
  const { lossy, exact, ofUpperBits, mayBeUnpacked } = rowOf(format)?.detail ?? {};
  const law = isLossless ? (exact ?? lossy) : (lossy ?? exact);
  return law && { law, ofUpperBits, mayBeUnpacked };
}

/** True if files lose detail at this quality; without quality, at any but 100. */
export function isLossy(format: OutputFormat, quality?: number): boolean {
  const row = formats[format].quality;
  return row === 'lossy' || (row === 'lossless at 100' && quality !== 100);
}

/** True if the quality option has an effect. */
export const hasQuality = (format: OutputFormat): boolean => formats[format].quality !== 'none';

/** True for more than 8 bits per channel. */
export const isDeep = (format: OutputFormat): boolean => formats[format].maxBits > 8;
