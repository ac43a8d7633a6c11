/** File names for results that are saved into a person's own folder, from a template. Valid on every system. */

/** Values of the template's fields. `ext` has no dot. */
export interface NameFields {
  name: string;
  scale: number | undefined;
  model: string;
  /** YYYY-MM-DD */
  date: string;
  ext: string;
}

export const defaultTemplate = '{name}-{scale}x';
export const defaultTemplateWithoutScale = '{name}-cutout';

/** Most file systems take 255 bytes; the rest is for a temporary ending. */
const maxNameBytes = 240;
const reserved = /^(con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³])$/i;
// Control characters are what this looks for.
const illegal = /[<>:"/\\|?*\p{Cc}\p{Cf}\p{Cs}]/gu;

/**
 * The name to try as the n-th, from 1. A template with {n} counts there; another one gets " (2)", " (3)"…
 * before the ending from the second try on. The ending is always the format's own.
 */
export function planName(template: string, fields: NameFields, n: number): string {
  const counts = template.includes('{n}');
  const stem = fill(template.replace(/\.?\{ext\}$/, ''), fields, n);
  const suffix = (counts || n === 1 ? '' : ` (${n})`) + `.${fields.ext}`;
  const whole = clean(withoutEnding(stem, fields.ext));
  return shorten(whole, maxNameBytes - Buffer.byteLength(suffix)) + suffix;
}

function fill(template: string, fields: NameFields, n: number): string {
  const values: Record<string, string> = {
    name: fields.name,
    scale: String(fields.scale ?? 1),
    model: fields.model,
    date: fields.date,
    ext: fields.ext,
    n: String(n),
  };
  return template.replace(/\{(\w+)\}/g, (field, key: string) => values[key] ?? field);
}

/** A person who wrote "{name}.jpg" means the ending, not a part of the name. */
function withoutEnding(stem: string, ext: string): string {
  const endings =
    ext === 'jpg' ? ['.jpg', '.jpeg'] : ext === 'tif' ? ['.tif', '.tiff'] : [`.${ext}`];
  const found = endings.find((ending) => stem.toLowerCase().endsWith(ending));
  return found ? stem.slice(0, -found.length) : stem;
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

function shorten(stem: string, maxBytes: number): string {
  let short = stem;
  while (Buffer.byteLength(short) > maxBytes) short = Array.from(short).slice(0, -1).join('');
  return short.replace(/[\s.]+$/, '');
}
