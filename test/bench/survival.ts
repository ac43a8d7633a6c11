/** What must survive of a picture, and why some of it cannot. */
import type { OutputFormat } from '../../packages/contract/src/formats.ts';
import type { JobReport } from '../../electron/engine/protocol/messages.ts';
import { changesOf, type ReadFile } from '../support/exiftool.ts';
import type { Pixels } from '../support/images.ts';
import { differenceOf } from '../support/pixels.ts';

interface Survived {
  to: OutputFormat;
  report: JobReport;
  /** Undefined where colours are converted. */
  want: Pixels | undefined;
  got: Pixels;
  before: ReadFile;
  after: ReadFile;
  /** Undefined for a still picture. */
  moving: Record<'before' | 'after', MovingFile> | undefined;
}

interface MovingFile {
  frames: number;
  /** Frames that differ from the one before. */
  scenes: number;
  /** Undefined where nothing here reads it. */
  totalMs: number | undefined;
}

const lossless = new Set<OutputFormat>(['png', 'tiff']);
/** Mean error of a lossy encoding at the default quality, in levels of 255. */
const lossyLevels = 12;

/** What differs from what was put in, a line each. */
export function lossesOf({ to, want, got, before, after, report, moving }: Survived): string[] {
  const losses = changesOf(before.tags, after.tags);
  if (moving) losses.push(...frameLosses(to, moving));
  if (want) losses.push(...pixelLosses(to, want, got));
  else losses.push('colours are converted');
  if (before.icc !== after.icc) {
    const what =
      before.icc === undefined ? 'was made' : after.icc === undefined ? 'is lost' : 'changed';
    losses.push(`the profile ${what}`);
  }
  if (report.output.width !== got.width) losses.push('the reported width is another one');
  return losses;
}

function frameLosses(
  to: OutputFormat,
  { before, after }: Record<'before' | 'after', MovingFile>,
): string[] {
  const losses: string[] = [];
  // libwebp joins frames that look alike, and shows them as long.
  const minFrames = to === 'webp' ? Math.min(before.scenes, before.frames) : before.frames;
  if (after.frames < minFrames || after.frames > before.frames)
    losses.push(`${before.frames} frames became ${after.frames}`);
  const times = [before.totalMs, after.totalMs];
  const isTimed = times.every((time) => time !== undefined) && after.frames > 1;
  if (isTimed && Math.abs((times[0] ?? 0) - (times[1] ?? 0)) > maxTimeDifferenceMs)
    losses.push(`${times[0]} ms became ${times[1]} ms`);
  return losses;
}

/** GIF counts in hundredths of a second. */
const maxTimeDifferenceMs = 5;

function pixelLosses(to: OutputFormat, want: Pixels, got: Pixels): string[] {
  if (want.width !== got.width || want.height !== got.height)
    return [`${want.width} x ${want.height} became ${got.width} x ${got.height}`];
  if (want.channels !== got.channels) return [`${want.channels} channels became ${got.channels}`];
  const losses =
    want.data instanceof Uint16Array && !(got.data instanceof Uint16Array)
      ? ['16 bits became 8']
      : [];
  const { most, mean } = differenceOf(...visible(got, want));
  const isSame = lossless.has(to) ? most <= (losses.length > 0 ? 1 : 0) : mean <= lossyLevels;
  if (!isSame) losses.push(`pixels differ by ${most.toFixed(2)}, ${mean.toFixed(2)} in the mean`);
  return losses;
}

/** Both pictures with black where either is not opaque: what hides may change, and edges are drawn finer. */
export function visible(got: Pixels, want: Pixels): [Pixels, Pixels] {
  const { channels } = want;
  if (channels % 2 === 1) return [got, want];
  const opaque = (picture: Pixels, at: number) =>
    picture.data[at + channels - 1] === (picture.data instanceof Uint16Array ? 65535 : 255);
  const [a, b] = [got.data.slice(), want.data.slice()];
  for (let at = 0; at < a.length; at += channels) {
    if (opaque(got, at) && opaque(want, at)) continue;
    a.fill(0, at, at + channels);
    b.fill(0, at, at + channels);
  }
  return [
    { ...got, data: a },
    { ...want, data: b },
  ];
}

/** Patterns of what cannot survive, or must not, and why. */
const reasons: [RegExp, string][] = [
  [
    /^(IFD0|SubIFD\d*):(ImageWidth|ImageHeight|BitsPerSample|Compression|Photometric|Strip|SamplesPer|RowsPer|Planar|Predictor|SampleFormat|FillOrder|Tile|ColorMap|ExtraSamples|SubfileType|OldSubfile|YCbCr|ReferenceBlack|JPEG|MinSample|MaxSample|PageNumber|PreviewImage|T4Options|T6Options|OtherImage|Thumbnail|SMin|SMax|InkSet|NumberOfInks|InkNames|DotRange|WhitePoint|PrimaryChrom|HalftoneHints|GrayResponse|StoNits|ImageDepth|WangTag|Threshholding|FreeOffsets|FreeByte|JPGFromRaw|XPosition|YPosition|GrayResponse|TargetPrinter|ImageSourceData|XClipPath|YClip|TransferFunction)/,
    'how the old file lays out its pixels',
  ],
  [
    /^(IFD0|ExifIFD|XMP-tiff|XMP-exif):(Orientation|ExifImage(Width|Height)|Image(Width|Height|Length)|PixelXDimension|PixelYDimension)/,
    'the new size, upright',
  ],
  [/^Photoshop:Photoshop(Thumbnail|Quality|Format)/, 'the old preview and the old quality'],
  [/^IFD[1-9]/, 'other pages and previews'],
  [/^SubIFD/, 'other pages and previews'],
  [
    /^(PNG|GIF|RIFF|APP14|MPF\d*|MPImage\d*|Track|Iptc4xmpCore:Scene|BMP|TIFF|ANIM|GeoTiff|IFD0:ModelTr|IFD0:PixelScale|IFD0:ModelTiePoint)/,
    'how the old file is laid out',
  ],
  [
    /^XMP-(hdrgm|GContainer|GCamera|Container|Item)/,
    'the gain map of an Ultra HDR photo, said in a note',
  ],
];

/** Formats that libvips does not read, so that it cannot say what their pixels are. */
export const foreign = ['bmp', 'heic', 'raw', 'jxl'];

/** Why that is right, or undefined. */
export function explain(loss: string, { input, output, notes }: JobReport): string | undefined {
  if (foreign.includes(input.format) && loss === 'colours are converted')
    return 'not compared here: read by a decoder of its own, tested in foreign.test.ts';
  const isGif = output.format === 'gif';
  if (isGif && /^pixels differ|^16 bits became 8|channels became/.test(loss))
    return 'GIF holds 256 colours, transparent or not, said in a note';
  const known = reasons.find(([pattern]) => pattern.test(loss));
  if (known) return known[1];
  const hasNote = (part: string) => notes.some((note) => note.includes(part));
  if (
    isGif &&
    !loss.startsWith('XMP') &&
    hasNote('GIF holds no profile') &&
    loss.startsWith('the profile')
  )
    return 'GIF holds no profile: it was applied, said in a note';
  if (isGif && hasNote('holds no grey') && loss.startsWith('the profile'))
    return 'GIF holds no profile: it was applied, said in a note';
  if (isGif && /^(IFD0|ExifIFD|GPS|InteropIFD|Sub|Canon|Nikon|Apple|Samsung|Olympus)/.test(loss))
    return hasNote('EXIF was left out') ? 'GIF holds no EXIF, said in a note' : undefined;
  if (/frames became 1$/.test(loss) && hasNote('holds no animation'))
    return 'the format does not move, said in a note';
  if (loss === '16 bits became 8' && output.bitDepth === 8)
    return hasNote('8 bits') ? `${output.format} holds 8 bits, said in a note` : undefined;
  if (/channels became/.test(loss)) {
    if (hasNote('transparency')) return 'JPEG holds no transparency, said in a note';
    if (
      /^[12] channels became [34]/.test(loss) &&
      (output.format === 'webp' || output.format === 'avif')
    )
      return 'WebP and AVIF are written as RGB, grey as equal colours';
    if (/^3 channels became 4/.test(loss) && input.format === 'gif')
      return 'what no frame of a GIF covers is transparent';
    if (/^4 channels became 3/.test(loss)) return 'the transparency was full everywhere';
  }
  if (loss === 'the profile was made' && hasNote('says so by a profile'))
    return 'nclx, cICP or gAMA became a profile, said in a note';
  if (
    /^pixels differ|the profile was made/.test(loss) &&
    (hasNote('curve of sRGB') || hasNote('BT.2390'))
  )
    return 'linear light or HDR was encoded for an ordinary screen, said in a note';
  if (/^pixels differ/.test(loss) && hasNote('multiplied with its transparency'))
    return 'colours were divided by their transparency, said in a note';
  if (/^(\d channels became|pixels differ)/.test(loss) && hasNote('further channel'))
    return 'a channel that is no transparency was left out, said in a note';
  if (/colours are converted|the profile/.test(loss) && hasNote('converted from'))
    return 'CMYK became RGB, said in a note';
  if (/^(IPTC|Photoshop)/.test(loss) && hasNote('IPTC was left out'))
    return 'WebP and AVIF hold no IPTC, said in a note';
  return undefined;
}
