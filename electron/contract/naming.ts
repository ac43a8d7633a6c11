/** How results are named, from a template: by the service, the command line and the page alike. Pure. */
import { formats, isOutputFormat } from './formats.ts';
import type { TaskOptions, TaskRecord } from './task.ts';

export const nameFields = ['name', 'scale', 'model', 'date', 'ext', 'n'] as const;
type NameField = (typeof nameFields)[number];

/** What a name is made from. */
export interface NamedResult {
  /** The photo's file name, with its ending where it has one. */
  sourceName: string;
  /** How many times as wide the result is; undefined where nothing is known of it yet. */
  scale: number | undefined;
  model: string;
  date: Date;
  /** Of the result: a format's name, such as 'jpeg'. */
  format: string;
}

/** The name of a result that nobody named. */
export function usualTemplate(operation: string): string {
  return operation === 'remove-bg' ? '{name}-cutout' : '{name}-{scale}x';
}

interface Sized {
  width: number;
}

/** That of an enlarging, or of a cut-out that is enlarged, too. */
export const scaleAsked = ({ scale, enlarge }: Pick<TaskOptions, 'scale' | 'enlarge'>) =>
  scale ?? enlarge?.scale;

/** The scale that was asked for, or how many times as wide the result became, to two decimals. */
export function scaleInName(
  asked: number | undefined,
  made?: { input?: Sized | undefined; output?: Sized | undefined },
): number | undefined {
  if (asked !== undefined) return asked;
  const { input, output } = made ?? {};
  return input && output && Number((output.width / input.width).toFixed(2));
}

/** The name without its ending: "beach" of "beach.jpg", and "sea.view" of "sea.view.jpg". */
export function stemOf(name: string): string {
  return name.replace(/\.[A-Za-z0-9]{1,5}$/, '') || 'image';
}

/** The last ending of a name in its own spelling, without the dot; '' for none. */
export function endingOf(name: string): string {
  return /\.([A-Za-z0-9]{1,5})$/.exec(name)?.[1] ?? '';
}

/** Endings of a format's files, in lower case; of one that is not known 'bin'. */
function endingsOf(format: string): readonly [string, ...string[]] {
  return isOutputFormat(format) ? formats[format].endings : ['bin'];
}

/** The ending of a format's files: as the photo spells it (JPG, jpeg) where it has the same format, else the usual one. */
export function extensionFor(format: string, sourceName: string): string {
  const own = endingOf(sourceName);
  const [usual, ...others] = endingsOf(format);
  return [usual, ...others].includes(own.toLowerCase()) ? own : usual;
}

/** Most file systems take 255 bytes; the rest is for a temporary ending. */
const maxNameBytes = 240;
const reserved = /^(con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³])$/i;
// Control characters are what this looks for.
const illegal = /[<>:"/\\|?*\p{Cc}\p{Cf}\p{Cs}]/gu;

/**
 * A file name, valid on every system: the one to try as the n-th, from 1. A template with {n} counts there;
 * another one gets " (2)", " (3)"… before the ending from the second try on. The ending is one of the
 * format's: the template's own where it names one, else the photo's spelling, else the usual one.
 */
export function planName(template: string, result: NamedResult, n: number): string {
  const asked = endingOf(template);
  const isNamed = endingsOf(result.format).includes(asked.toLowerCase());
  const ext = isNamed ? asked : extensionFor(result.format, result.sourceName);
  const plain = isNamed ? template.slice(0, -asked.length - 1) : template;
  const stem = fill(plain.replace(/\.?\{ext\}$/, ''), { ...result, ext }, n);
  const number = template.includes('{n}') || n === 1 ? '' : ` (${n})`;
  const suffix = `${number}.${ext}`;
  return shorten(clean(stem), maxNameBytes - bytesOf(suffix)) + suffix;
}

function fill(template: string, result: NamedResult & { ext: string }, n: number): string {
  const values: Record<string, string> = {
    name: stemOf(result.sourceName),
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

function shorten(stem: string, maxBytes: number): string {
  let short = stem;
  while (bytesOf(short) > maxBytes) short = Array.from(short).slice(0, -1).join('');
  return short.replace(/[\s.]+$/, '');
}

type Named = Pick<TaskRecord, 'operation' | 'options' | 'input' | 'output' | 'createdAt'>;

/** "sea-4x.jpg" or "sea-cutout.png" for sea.jpg, as its download is called; undefined without a result. */
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
