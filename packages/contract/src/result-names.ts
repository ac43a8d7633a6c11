/**
 * Detects Enlarger's own results in a folder, by their names beside others or by their metadata, so that a
 * second run does not enlarge the first one's results. Pure.
 */
import { stemOf, defaultTemplate } from './naming.ts';
import { operations } from './request.ts';

/** Default names of results. */
const resultTemplates = operations.map(defaultTemplate);

/** Patterns of the template's fields. */
const fieldPatterns: Record<string, string> = {
  scale: String.raw`\d+(?:\.\d+)?`,
  size: String.raw`\d+(?:\.\d+)?x\d+(?:\.\d+)?(?:cm|in|px)`,
  model: '.+',
  date: String.raw`\d{4}-\d\d-\d\d`,
  n: String.raw`\d+`,
};

/**
 * Results among the file names of one folder: `a-2x.jpg` and `a-2x (2).png` if there is an `a.jpg`.
 * @param templates further templates; those without {name} are ignored
 */
export function resultsAmong(names: readonly string[], templates: readonly string[] = []) {
  const stems = new Set(names.map((name) => stemOf(name).toLowerCase()));
  const patterns = [...resultTemplates, ...templates].flatMap((template) => patternOf(template));
  const isResult = (name: string) =>
    patterns.some((pattern) => {
      const source = pattern.exec(stemOf(name))?.[1]?.toLowerCase();
      return source !== undefined && stems.has(source) && source !== stemOf(name).toLowerCase();
    });
  return new Set(names.filter(isResult));
}

function patternOf(template: string): RegExp[] {
  const stem = template.replace(/\.?\{ext\}$/, '');
  if (!stem.includes('{name}')) return [];
  const [first = '', ...others] = stem.split('{name}').map((part) => fieldsIn(part));
  return [new RegExp(`^${first}(.+)${others.join(String.raw`\1`)}(?: \\(\\d+\\))?$`, 'iu')];
}

const fieldsIn = (text: string): string =>
  text
    .split(/\{(\w+)\}/)
    .map((part, i) => (i % 2 === 0 ? literally(part) : (fieldPatterns[part] ?? '.*')))
    .join('');

const literally = (text: string) => text.replaceAll(/[.*+?^${}()|[\]\\/]/g, String.raw`\$&`);

/** A JPEG has EXIF and XMP in its first segments; most other formats have them behind the pixels. */
const headBytes = 192 * 1024;
const tailBytes = 128 * 1024;

/** Byte ranges of a file that contain its creator's name. */
export function markedParts(sizeBytes: number): { at: number; length: number }[] {
  const head = Math.min(sizeBytes, headBytes);
  const tailAt = Math.max(head, sizeBytes - tailBytes);
  return [
    { at: 0, length: head },
    { at: tailAt, length: sizeBytes - tailAt },
  ];
}

const ourSoftware = /Enlarger \d+\.\d+\.\d+[^\0\n]{0,20}\0/;
/** The agent is an attribute, or an element, possibly with its namespace; end tags do not match. */
const agents =
  /softwareAgent(?:\s{0,9}=\s{0,9}["']|(?:\s[^<>]{0,300})?>)\s{0,99}([^<"'\s][^<"']*)/g;

/** By EXIF Software, or the last event of the XMP history. @param text latin1 text of the marked parts */
export function saysMadeByEnlarger(text: string): boolean {
  if (ourSoftware.test(text)) return true;
  // Other programs append their own events.
  const [, last] = [...text.matchAll(agents)].at(-1) ?? [];
  return last?.startsWith('Enlarger ') ?? false;
}
