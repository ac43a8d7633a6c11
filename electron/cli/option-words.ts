/** Options that several commands share, and how their words are read. Wrong ones end in commander's own errors. */
import { Command, InvalidArgumentError, Option } from 'commander';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { Value } from 'typebox/value';
import { anyScales, bitDepths, type AnyScale, type BitDepth } from '../contract/common.ts';
import { nameFields } from '../contract/naming.ts';
import { PrintSize } from '../contract/print-size.ts';
import { Strokes, type Stroke } from '../contract/strokes.ts';
import type { Restore } from '../contract/submit.ts';

/** Where the service is: said to every command. */
export interface ServiceOptions {
  dataDir?: string;
  url?: string;
  key?: string;
}

export function serviceOptions(command: Command): Command {
  return command
    .option('--data-dir <folder>', "the service's data folder")
    .option('--url <address>', 'the address of a running service')
    .option('--key <key>', 'its API key (default: cli.key in the data folder)');
}

export function readMegapixels(text: string): number {
  const value = Number(text);
  if (!(value > 0 && value <= 100_000))
    throw new InvalidArgumentError('Expected a number above 0 and up to 100000.');
  return value;
}

const usualPpi = 300;
const millimetresIn = { mm: 1, cm: 10, in: 25.4 } as const;

/** Such as 40cm, 16in or width:400mm@240; without a side it is the longer one. */
export function readPrintSize(text: string): PrintSize {
  const found = /^(?:(width|height):)?(\d+(?:\.\d+)?)(mm|cm|in)(?:@(\d+))?$/.exec(text);
  const [, side = 'longEdge', length = '', unit = 'mm', ppi = String(usualPpi)] = found ?? [];
  const millimetres = Number(length) * millimetresIn[unit as keyof typeof millimetresIn];
  const size = { side, millimetres, ppi: Number(ppi) };
  if (found !== null && Value.Check(PrintSize, size)) return size;
  throw new InvalidArgumentError(
    'Expected a length such as 40cm, 16in or width:400mm, and after an @ from 10 to 4800 pixels an inch.',
  );
}

export function readScale(text: string): AnyScale {
  const scale = anyScales.find((known) => String(known) === text);
  if (scale === undefined) throw new InvalidArgumentError(`Expected ${anyScales.join(', ')}.`);
  return scale;
}

/** auto, or 0 to 100. */
export function readAutoOrPercent(text: string): Restore {
  if (text === 'auto') return text;
  const value = Number(text);
  if (/^\d{1,3}$/.test(text) && value <= 100) return value;
  throw new InvalidArgumentError('Expected auto, or a whole number from 0 to 100.');
}

const mostCanvasPx = 100_000;

export function readCanvas(text: string): { width: number; height: number } {
  const [, width = 0, height = 0] = (/^(\d{1,6})x(\d{1,6})$/.exec(text) ?? []).map(Number);
  if (width > 0 && height > 0 && Math.max(width, height) <= mostCanvasPx) return { width, height };
  throw new InvalidArgumentError('Expected width and height in pixels, as in 2000x2000.');
}

/** An address as it is, or that of a file. */
export const readFileOrUrl = (text: string): string =>
  /^(https?|file|data):/i.test(text) ? text : pathToFileURL(path.resolve(text)).href;

export function readPosition(text: string): { x: number; y: number } {
  const found = /^(\d{1,3}(?:\.\d+)?),(\d{1,3}(?:\.\d+)?)$/.exec(text)?.slice(1).map(Number);
  const [x, y] = found ?? [];
  if (x !== undefined && y !== undefined && x <= 100 && y <= 100) return { x, y };
  throw new InvalidArgumentError('Expected two numbers from 0 to 100, as in 50,100.');
}

export function readBitDepth(text: string): BitDepth | 'same' {
  const bitDepth = bitDepths.find((known) => String(known) === text);
  if (bitDepth === undefined && text !== 'same')
    throw new InvalidArgumentError('Expected 8, 16, same.');
  return bitDepth ?? 'same';
}

/** A file of JSON: what `strokes` is in a submit. */
export function readStrokes(path: string): Stroke[] {
  const found = jsonIn(path);
  if (!Value.Check(Strokes, found))
    throw new InvalidArgumentError(
      'Expected a list of strokes, as in [{"kind":"remove","radius":0.05,"points":[[0.2,0.1]]}].',
    );
  return found;
}

function jsonIn(path: string): unknown {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new InvalidArgumentError(`Expected a file with JSON: ${why}.`);
  }
}

/** JSON that must be of a kind; `expected` names it in the refusal. */
export function readJson<T>(
  text: string,
  isIt: (found: unknown) => found is T,
  expected: string,
): T {
  try {
    const found: unknown = JSON.parse(text);
    if (isIt(found)) return found;
  } catch {
    // Said below, as for JSON of another kind.
  }
  throw new InvalidArgumentError(`Expected JSON with ${expected}.`);
}

export function readTemplate(text: string): string {
  try {
    return assertTemplate(text);
  } catch (error) {
    throw new InvalidArgumentError(error instanceof Error ? error.message : String(error));
  }
}

export function choiceOption(
  flags: string,
  description: string,
  choices: readonly string[],
): Option {
  return new Option(flags, description).choices(choices);
}

export function integerOption(
  flags: string,
  description: string,
  from: number,
  to: number,
): Option {
  return new Option(flags, `${description} (${from} to ${to})`).argParser((text) => {
    const value = Number(text);
    if (!Number.isInteger(value) || value < from || value > to)
      throw new InvalidArgumentError(`Expected a whole number from ${from} to ${to}.`);
    return value;
  });
}

/** What may stand in a name template. Throws on an unknown field and on anything that would lead into another folder. */
export function assertTemplate(template: string): string {
  if (/[/\\]/.test(template))
    throw new Error(`Expected a file name for --name but received a path: ${template}`);
  for (const [placeholder, field] of template.matchAll(/\{([^}]*)\}/g))
    if (!nameFields.some((known) => known === field))
      throw new Error(
        `Expected {${nameFields.join('}, {')}} in --name but received ${placeholder}`,
      );
  return template;
}
