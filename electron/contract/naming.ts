/** Service, command line and page name results alike, from a template. All here is pure. */
import { formatOfEnding, formats, isOutputFormat } from './formats.ts';
import type { TaskOptions, TaskRecord } from './task.ts';

export const nameFields = ['name', 'scale', 'model', 'date', 'ext', 'n'] as const;
type NameField = (typeof nameFields)[number];

/** A name is made from this. */
export interface NamedResult {
  /** The photo's file name has its ending where it has one. */
  sourceName: string;
  /** The result is so many times as wide; undefined where nothing is known of it yet. */
  scale: number | undefined;
  model: string;
  date: Date;
  /** The result's format is told by its name, such as 'jpeg'. */
  format: string;
}

/** Answers the template for a result that nobody named. */
export function usualTemplate(operation: string): string {
  return operation === 'remove-bg' ? '{name}-cutout' : '{name}-{scale}x';
}

interface Sized {
  width: number;
}

/** Answers the scale of an enlargement, or of a cut-out that is also enlarged. */
export const scaleAsked = ({ scale, enlarge }: Pick<TaskOptions, 'scale' | 'enlarge'>) =>
  scale ?? enlarge?.scale;

/** Answers the scale that was asked for, or how many times as wide the result became, to two decimals. */
export function scaleInName(
  asked: number | undefined,
  made?: { input?: Sized | undefined; output?: Sized | undefined },
): number | undefined {
  if (asked !== undefined) return asked;
  const { input, output } = made ?? {};
  return input && output && Number((output.width / input.width).toFixed(2));
}

/** Answers the name without its ending: "beach" of "beach.jpg", and "sea.view" of "sea.view.jpg". */
export function stemOf(name: string): string {
  return name.replace(/\.[A-Za-z0-9]{1,5}$/, '') || 'image';
}

/** Answers the last ending of a name in its own spelling, without the dot; '' for none. */
export function endingOf(name: string): string {
  return /\.([A-Za-z0-9]{1,5})$/.exec(name)?.[1] ?? '';
}

/** Answers the endings of a format's files in lower case; an unknown format has 'bin'. */
function endingsOf(format: string): readonly [string, ...string[]] {
  return isOutputFormat(format) ? formats[format].endings : ['bin'];
}

/** Answers a result's ending: as the photo spells it (JPG, jpeg) where both have one format, else the usual one. */
export function extensionFor(format: string, sourceName: string): string {
  const own = endingOf(sourceName);
  const [usual, ...others] = endingsOf(format);
  return [usual, ...others].includes(own.toLowerCase()) ? own : usual;
}

/** Most file systems take 255 bytes; the rest is left for a temporary ending. */
const maxNameBytes = 240;
const reserved = /^(con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³])$/i;
/**
 * What no system takes or shows as it is: control characters, and those that change the direction of text. Joiners
 * and tag characters stay, of which letters of some scripts, families and flags are made.
 */
const illegal = /(?![\u200c\u200d\u{e0020}-\u{e007f}])[<>:"/\\|?*\p{Cc}\p{Cf}\p{Cs}]/gu;

/**
 * Makes a file name that is valid on every system: the one to try as the n-th, from 1. A template with {n} counts
 * there; another one gets " (2)", " (3)"… before the ending from the second try on. The ending is one of the
 * format's: the template's own where it names one, else the photo's spelling, else the format's first. The ending
 * of another picture format is replaced: `x.jpg` becomes `x.png` for a PNG.
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
  // The photo's name is cut first, so that what the template adds to it stays.
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

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });

/** Cuts a text between two of the characters that a reader sees. */
function shorten(text: string, maxBytes: number): string {
  let short = '';
  let bytes = 0;
  for (const { segment } of graphemes.segment(text)) {
    bytes += bytesOf(segment);
    if (bytes > maxBytes) break;
    short += segment;
  }
  return short.replace(/[\s.]+$/, '');
}

type Named = Pick<TaskRecord, 'operation' | 'options' | 'input' | 'output' | 'createdAt'>;

/** Names a download: "sea-4x.jpg" or "sea-cutout.png" for sea.jpg; undefined without a result. */
export function nameOfResult(sourceName: string, record: Named): string | undefined {
  const { operation, options, input, output, createdAt } = record;
  if (output === undefined) return undefined;
  const result = {
    sourceName,
    scale: scaleInName(scaleAsked(options), { input, output }),
    model: options.model,
    date: new Date(createdAt),
    format: output.format,
  };
  return planName(options.name ?? usualTemplate(operation), result, 1);
}
