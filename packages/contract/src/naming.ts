/** File names of results from a template, alike in service, command line and page. Pure. */
import { formatOfEnding, formats, isOutputFormat } from './formats.ts';
import type { Size } from './geometry.ts';
import { lengthOfPrint, unitOfPrint, type PrintSize } from './options/print-size.ts';
import type { TaskOptions, TaskRecord } from './task.ts';

export const nameFields = ['name', 'scale', 'size', 'model', 'date', 'ext', 'n'] as const;
type NameField = (typeof nameFields)[number];

/** Values of a name template. */
export interface NamedResult {
  /** File name of the photo, with its extension if it has one. */
  sourceName: string;
  /** Factor of the width; undefined while unknown. */
  scale: number | undefined;
  /** Both sides, by `sizeInName`; undefined while unknown. */
  size: string | undefined;
  model: string;
  date: Date;
  /** Format of the result, e.g. 'jpeg'. */
  format: string;
}

/** Template of a result without a template of its own. */
export function defaultTemplate(operation: string): string {
  return operation === 'remove-bg' ? '{name}-cutout' : '{name}-{scale}x';
}

interface PictureWidth {
  width: number;
}

/** Scale of an enlargement, or of a cut-out that is also enlarged. */
export const requestedScale = ({ scale, enlarge }: Pick<TaskOptions, 'scale' | 'enlarge'>) =>
  scale ?? enlarge?.scale;

/** The requested scale, or the ratio of the widths to two decimals. */
export function scaleInName(
  requested: number | undefined,
  made?: { input?: PictureWidth | undefined; output?: PictureWidth | undefined },
): number | undefined {
  if (requested !== undefined) return requested;
  const { input, output } = made ?? {};
  return input && output && Number((output.width / input.width).toFixed(2));
}

interface MaybePrint {
  printSize?: PrintSize | undefined;
}

/** Size of the result: on paper for a print ("51.6x30cm", "8x12in"), else in pixels ("6000x4000px"). */
export function sizeInName(
  { printSize, enlarge }: MaybePrint & { enlarge?: MaybePrint | undefined },
  made: Size | undefined,
): string | undefined {
  if (made === undefined) return undefined;
  const print = printSize ?? enlarge?.printSize;
  if (print === undefined) return `${made.width}x${made.height}px`;
  const unit = unitOfPrint(print.millimetres);
  const lengthOf = (sidePx: number) =>
    Number(lengthOfPrint(sidePx, { ppi: print.ppi, unit }).toFixed(1));
  return `${lengthOf(made.width)}x${lengthOf(made.height)}${unit}`;
}

/** Template of a print without a template of its own, in the page and on the command line. */
export const printTemplate = '{name}-{size}';

/** Name without extension: "beach" of "beach.jpg", "sea.view" of "sea.view.jpg". */
export function stemOf(name: string): string {
  return name.replace(/\.[A-Za-z0-9]{1,5}$/, '') || 'image';
}

/** Extension in its own spelling, without dot; '' for none. */
export function endingOf(name: string): string {
  return /\.([A-Za-z0-9]{1,5})$/.exec(name)?.[1] ?? '';
}

/** Extensions of a format in lower case; 'bin' for an unknown format. */
function endingsOf(format: string): readonly [string, ...string[]] {
  return isOutputFormat(format) ? formats[format].endings : ['bin'];
}

/**
 * Extension of a result: spelled like the photo's (JPG, jpeg) if the format is the same, else the default.
 */
export function extensionFor(format: string, sourceName: string): string {
  const own = endingOf(sourceName);
  const [defaultEnding, ...others] = endingsOf(format);
  return [defaultEnding, ...others].includes(own.toLowerCase()) ? own : defaultEnding;
}

/** Most file systems allow 255 bytes; the rest is for a temporary ending. */
const maxNameBytes = 240;
const reserved = /^(con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³])$/i;
/**
 * Characters that some system rejects or hides: control characters, and those that change the direction of
 * text. Joiners and tag characters stay, since they form letters of some scripts, families and flags.
 */
const illegal = /(?![\u200c\u200d\u{e0020}-\u{e007f}])[<>:"/\\|?*\p{Cc}\p{Cf}\p{Cs}]/gu;

/**
 * File name that is valid on every system; `n` counts the tries from 1. {n} in the template is the counter;
 * otherwise " (2)", " (3)" … is appended from the second try. The extension is one of the format's: the
 * template's if it has one, else spelled like the photo's, else the default. The extension of another picture
 * format is replaced: `x.jpg` becomes `x.png` for a PNG.
 */
export function planName(template: string, result: NamedResult, n: number): string {
  const ending = endingOf(template);
  const isOwn = endingsOf(result.format).includes(ending.toLowerCase());
  const ext = isOwn ? ending : extensionFor(result.format, result.sourceName);
  const isPicture = formatOfEnding(ending) !== undefined;
  const plain = isPicture ? template.slice(0, -ending.length - 1) : template;
  const pattern = plain.replace(/\.?\{ext\}$/, '');
  const number = template.includes('{n}') || n === 1 ? '' : ` (${n})`;
  const suffix = `${number}.${ext}`;
  const maxBytes = maxNameBytes - bytesOf(suffix);
  const stemFor = (name: string) => clean(fill(pattern, { ...result, name, ext }, n));
  const name = stemOf(result.sourceName);
  // The photo's name is shortened first, so that the template's additions stay.
  const fixedBytes = bytesOf(stemFor('')) - (pattern.includes('{name}') ? 0 : maxBytes);
  const cut = fixedBytes > 0 && fixedBytes < maxBytes ? shorten(name, maxBytes - fixedBytes) : name;
  const whole = stemFor(name);
  const stem = bytesOf(whole) > maxBytes && cut !== '' ? stemFor(cut) : whole;
  return shorten(stem, maxBytes) + suffix;
}

function fill(
  template: string,
  result: NamedResult & { name: string; ext: string },
  n: number,
): string {
  const values: Record<string, string> = {
    name: result.name,
    scale: String(result.scale ?? 1),
    size: result.size ?? '',
    model: result.model,
    date: result.date.toISOString().slice(0, 10),
    ext: result.ext,
    n: String(n),
  } satisfies Record<NameField, string>;
  return template.replace(/\{(\w+)\}/g, (field, key: string) =>
    Object.hasOwn(values, key) ? (values[key] ?? field) : field,
  );
}

function clean(stem: string): string {
  const plain = stem
    .replace(illegal, '_')
    .normalize('NFC')
    .replace(/^[\s.]+|[\s.]+$/g, '');
  if (plain === '') return 'image';
  const base = plain.split('.')[0] ?? plain;
  return reserved.test(base.trim()) ? `_${plain}` : plain;
}

const encoder = new TextEncoder();
const bytesOf = (text: string) => encoder.encode(text).length;

function shorten(text: string, maxBytes: number): string {
  const short = bytesOf(text) > maxBytes ? cut(text, maxBytes) : text;
  return short.replace(/[\s.]+$/, '');
}

/** Cuts between graphemes, whose tables take 8 ms to load: few names need it. */
function cut(text: string, maxBytes: number): string {
  let short = '';
  let bytes = 0;
  for (const { segment } of new Intl.Segmenter('en', { granularity: 'grapheme' }).segment(text)) {
    bytes += bytesOf(segment);
    if (bytes > maxBytes) break;
    short += segment;
  }
  return short;
}

/** Cuts the stem, between graphemes, so that the name with its extension has at most so many bytes. */
export function shortenName(name: string, maxBytes: number): string {
  if (bytesOf(name) <= maxBytes) return name;
  const ending = endingOf(name);
  const suffix = ending === '' ? '' : `.${ending}`;
  const stem = name.slice(0, name.length - suffix.length);
  return shorten(stem, maxBytes - bytesOf(suffix)) + suffix;
}

type ResultRecord = Pick<TaskRecord, 'operation' | 'options' | 'input' | 'output' | 'createdAt'>;

/**
 * Name of a download: "sea-4x.jpg" or "sea-cutout.png" for sea.jpg; undefined without a result. `n` counts the
 * tries from 1.
 */
export function nameOfResult(sourceName: string, record: ResultRecord, n = 1): string | undefined {
  const { operation, options, input, output, createdAt } = record;
  if (output === undefined) return undefined;
  const result = {
    sourceName,
    scale: scaleInName(requestedScale(options), { input, output }),
    size: sizeInName(options, output),
    model: options.model,
    date: new Date(createdAt),
    format: output.format,
  };
  return planName(options.name ?? defaultTemplate(operation), result, n);
}
