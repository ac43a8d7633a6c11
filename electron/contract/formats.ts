/**
 * The file formats have one row each, in which all stands that the parts of the program know of a format. This file
 * imports nothing, so that the engine takes it without the contract's schemas.
 */

/** The law y = factor * x^exponent. */
export type PowerLaw = readonly [factor: number, exponent: number];

/**
 * How many bytes a pixel of a result takes: ln(bytes) = at + slope * ln(detail) for a picture of twice the width,
 * with `step` and `slopeStep` added for each doubling beyond it. It was fitted by least squares over pieces of
 * 352 x 256 pixels, enlarged with Natural. `npm run bench:sizes` measures how true it is.
 */
export interface SizeLaw {
  at: number;
  slope: number;
  step: number;
  slopeStep: number;
}

/** The laws of a format with loss, by rising quality. */
export type SizeKnots = readonly [SizeKnot, ...SizeKnot[]];
export type SizeKnot = readonly [quality: number, law: SizeLaw];

/**
 * How large a format's files become. A format with loss has laws by quality, one without loss has a single law, and
 * one that is lossless at quality 100 alone has both.
 */
type FileSize = {
  /** Bytes that one level of grain adds to a pixel at quality 85; and, without loss, the law of all its levels. */
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
  /** The name is written as a person writes it. */
  label: string;
  /** The endings of its files are in lower case and without the dot; the usual one is the first. */
  endings: readonly [string, ...string[]];
  /** Endings that are read and that no result gets: of second names, and of files that hold several pictures. */
  otherEndings?: readonly string[];
  mimeType: string;
  /** macOS calls its files by these Uniform Type Identifiers. */
  uniformTypes: readonly [string, ...string[]];
  /** Linux desktops call its files by these types of shared-mime-info, where they differ from `mimeType`. */
  sharedMimeTypes?: readonly string[];
  /** Today's browsers show it. */
  inBrowsers: boolean;
  /**
   * A photo's detail by the bytes a pixel takes in its file, with and without loss. It is absent where a file's size
   * tells nothing of it, and for JPEG, whose quality is read.
   */
  detail?: {
    lossy?: PowerLaw;
    exact?: PowerLaw;
    /** The law counts the upper 8 of more bits alone: the lower ones are noise, which the file holds as it is. */
    ofUpperBits?: true;
    /** Its files may hold pixels as they are, and then their size tells nothing. */
    mayBeUnpacked?: true;
  };
}

/** A format that results are written in. */
interface OutputFormatRow extends Format {
  /** The format holds transparency. */
  alpha: boolean;
  /** A colour has at most this many bits in its file. */
  maxBits: 8 | 10 | 16;
  /** Its file can hold a single grey band; the others hold grey as RGB. */
  grey: boolean;
  /** Its file holds IPTC and Photoshop's resources. */
  iptc: boolean;
  /** Its file has a place of its own for pixels an inch; the others have EXIF's alone. */
  density: boolean;
  /** Quality may say nothing of it, and 100 may keep every number. */
  quality: 'none' | 'lossy' | 'lossless at 100';
  /** A side has at most this many pixels, by the format itself or by its encoder. */
  longestSidePx?: number;
  /** Its encoder was measured to write at most this many pixels of 4 bands, by bits. */
  mostPixels?: { lossy: Record<8 | 16, number>; lossless: Record<8 | 16, number> };
  /** Its encoder holds the whole picture in so many bytes of memory a pixel, as measured with sharp 0.35. */
  encoderBytesPerPixel?: number;
  /** Its encoder writes at the end, and may be silent for so many seconds a megapixel. */
  encoderSilenceSeconds?: number;
  size: FileSize;
}

export const outputFormats = ['jpeg', 'png', 'webp', 'tiff', 'avif', 'jxl'] as const;
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
    longestSidePx: 65_500,
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
    density: false,
    quality: 'lossy',
    longestSidePx: 16_383,
    // Without loss its encoder takes 36.
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
    longestSidePx: 16_384,
    // With full colour its encoder takes 76.
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
    // Its encoder takes 2048 rows of a picture at once, and its memory ends at 2 GB.
    longestSidePx: 32_768,
    // With loss 24 million of 16 bits took 0.9 GB and 48 million failed; without loss 96 million took 0.7 GB.
    mostPixels: { lossy: { 8: 48e6, 16: 24e6 }, lossless: { 8: 96e6, 16: 96e6 } },
    encoderSilenceSeconds: 5,
    size: {
      exact: law(1.25, 0.75, -0.11, -0.02),
      lossy: avifKnots,
      grain: { lossy: 0.018, exact: exactGrain },
    },
  },
};

/** A format that is read and not written; `becomes` is what a result is written as that would keep it. */
interface InputFormatRow extends Format {
  becomes: OutputFormat;
}

// prettier-ignore
const rawEndings = [
  '3fr', 'ari', 'bay', 'cap', 'crw', 'dcr', 'dcs', 'drf', 'erf', 'fff', 'gpr', 'iiq', 'k25', 'kdc', 'mdc', 'mef',
  'mos', 'mrw', 'nrw', 'ori', 'pef', 'ptx', 'pxn', 'raw', 'rwl', 'rwz', 'sr2', 'srf', 'srw', 'sti', 'x3f',
] as const;

const inputFormats = {
  gif: {
    label: 'GIF',
    endings: ['gif'],
    mimeType: 'image/gif',
    uniformTypes: ['com.compuserve.gif'],
    inBrowsers: true,
    becomes: 'png',
  },
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
    // What LibRaw reads beside them.
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

/** Every format that is read, those that are written first. */
export const readableFormats: Readonly<Record<ReadableFormat, Format>> = {
  ...formats,
  ...inputFormats,
};

/** JPEG 2000 is among them, though it cannot be read: its row in a list says so. */
export const pictureEndings: readonly string[] = [
  ...Object.values(readableFormats).flatMap(({ endings, otherEndings = [] }) => [
    ...endings,
    ...otherEndings,
  ]),
  'jp2',
];

const pictureEnding = new RegExp(`\\.(${pictureEndings.join('|')})$`, 'i');

/** Goes by the name alone. Names that begin with a dot belong to other programs, or to our unfinished files. */
export function isPictureName(name: string): boolean {
  return !name.startsWith('.') && pictureEnding.test(name);
}

/** Folders that NAS systems, desktops and catalogues fill with copies, previews and what was deleted. */
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

/** Lightroom keeps its previews in folders of these endings, Aperture's and Photos' libraries their own files. */
const previewFolder = /\.(?:lrdata|lrcat-data|lrlibrary|cocatalogdb|cosessiondb)$/i;

/** Whether a folder of this name holds no photos of a person's own. */
export const isSystemFolderName = (name: string): boolean =>
  systemFolders.has(name.toLowerCase()) || previewFolder.test(name);

export function isOutputFormat(name: string): name is OutputFormat {
  return Object.hasOwn(formats, name);
}

function isInputFormat(name: string): name is keyof typeof inputFormats {
  return Object.hasOwn(inputFormats, name);
}

/** Answers what `same` means for a source of this format: its own, what it becomes, or PNG for an unknown one. */
export function sameFormat(source: string): OutputFormat {
  if (isOutputFormat(source)) return source;
  return isInputFormat(source) ? inputFormats[source].becomes : 'png';
}

/** Answers the format that files of this ending mostly have; undefined for an ending that no picture has. */
export function formatOfEnding(ending: string): ReadableFormat | undefined {
  const wanted = ending.toLowerCase();
  const found = Object.entries(readableFormats).find(
    ([, { endings, otherEndings = [] }]) =>
      endings.includes(wanted) || otherEndings.includes(wanted),
  );
  return found?.[0] as ReadableFormat | undefined;
}

/** Finds the row of any format that is read. */
const rowOf = (format: string): Format | undefined =>
  Object.hasOwn(readableFormats, format) ? readableFormats[format as ReadableFormat] : undefined;

/** Answers the name as a person writes it; a format that is not known stands in capitals. */
export const labelOf = (format: string): string => rowOf(format)?.label ?? format.toUpperCase();

/** Tells whether browsers show pictures of this format. */
export const isShownByBrowsers = (format: string): boolean => rowOf(format)?.inBrowsers ?? false;

/** Answers how a file's size tells a photo's detail; undefined where it tells nothing. */
export function detailLawOf(format: string, isLossless: boolean) {
  const { lossy, exact, ofUpperBits, mayBeUnpacked } = rowOf(format)?.detail ?? {};
  const law = isLossless ? (exact ?? lossy) : (lossy ?? exact);
  return law && { law, ofUpperBits, mayBeUnpacked };
}

/** Tells whether its files lose detail at this quality, or at any but 100 when none is named. */
export function isLossy(format: OutputFormat, quality?: number): boolean {
  const row = formats[format].quality;
  return row === 'lossy' || (row === 'lossless at 100' && quality !== 100);
}

/** Tells whether a quality means something for the format. */
export const hasQuality = (format: OutputFormat): boolean => formats[format].quality !== 'none';

/** Tells whether the format keeps more than 8 bits of a colour. */
export const isDeep = (format: OutputFormat): boolean => formats[format].maxBits > 8;
