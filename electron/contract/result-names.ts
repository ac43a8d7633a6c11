/**
 * Finds out which files of a folder Enlarger made, by their names beside others there, or by what they say of
 * themselves. What searches a folder for photos leaves them out, so that a second run does not enlarge what the
 * first one made. All here is pure.
 */
import { stemOf, usualTemplate } from './naming.ts';
import { operations } from './request.ts';

/** Results get these names where nothing else was asked for. */
const resultTemplates = operations.map(usualTemplate);

/** These stand in a name for each field of a template. */
const fieldPatterns: Record<string, string> = {
  scale: String.raw`\d+(?:\.\d+)?`,
  model: '.+',
  date: String.raw`\d{4}-\d\d-\d\d`,
  n: String.raw`\d+`,
};

/**
 * Finds among file names of one folder those that results of other names there have: `a-2x.jpg` and `a-2x (2).png`
 * beside `a.jpg`, but not where there is no `a`.
 * @param templates templates of results' names, beside the usual ones; one without {name} tells nothing
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

/** EXIF and XMP of a JPEG stand in its first segments; most other formats write them behind the pixels. */
const headBytes = 192 * 1024;
const tailBytes = 128 * 1024;

/** Answers where a file of so many bytes says by what it was made. */
export function markedParts(sizeBytes: number): { at: number; length: number }[] {
  const head = Math.min(sizeBytes, headBytes);
  const tailAt = Math.max(head, sizeBytes - tailBytes);
  return [
    { at: 0, length: head },
    { at: tailAt, length: sizeBytes - tailAt },
  ];
}

const ourSoftware = /Enlarger \d+\.\d+\.\d+[^\0\n]{0,20}\0/;
/** The agent is an attribute, or an element, which may say its namespace itself and whose end says nothing. */
const agents =
  /softwareAgent(?:\s{0,9}=\s{0,9}["']|(?:\s[^<>]{0,300})?>)\s{0,99}([^<"'\s][^<"']*)/g;

/**
 * Goes by EXIF's Software, or by the last event of the XMP history.
 * @param text holds the marked parts, a letter for each byte
 */
export function saysMadeByEnlarger(text: string): boolean {
  if (ourSoftware.test(text)) return true;
  // Other programs add their own events behind ours.
  const [, last] = [...text.matchAll(agents)].at(-1) ?? [];
  return last?.startsWith('Enlarger ') ?? false;
}
