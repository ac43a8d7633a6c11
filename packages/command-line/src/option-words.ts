/** Declares and reads options that several commands share. Wrong values end in commander's own errors. */
import { Command, InvalidArgumentError, Option } from 'commander';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { Type, type Static, type TProperties, type TSchema } from 'typebox';
import { Value } from 'typebox/value';
import { AnyScale, boundsOf, required } from '../../contract/src/common.ts';
import { keysOf } from '../../contract/src/pick-defined.ts';
import { nameFields } from '../../contract/src/naming.ts';
import { PrintSize } from '../../contract/src/options/print-size.ts';
import {
  boxStroke,
  StrokePoint,
  Strokes,
  type Stroke,
} from '../../contract/src/options/strokes.ts';
import { placingChoices } from '../../contract/src/request.ts';
import { t } from './text.ts';

/** Every command takes these options, which say which service is used. */
export interface ServiceFlags {
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

const defaultPpi = 300;
const millimetresIn = { mm: 1, cm: 10, in: 25.4 } as const;

const printSideOf: Record<string, PrintSize['side']> = { short: 'shortEdge' };

/** Reads a size on paper such as 40cm, 16in, short:30cm or width:400mm@240; without a side it is the longer one. */
export function readPrintSize(text: string): PrintSize {
  const found = /^(?:(width|height|short):)?(\d+(?:\.\d+)?)(mm|cm|in)(?:@(\d+))?$/.exec(text);
  const [, side = 'longEdge', length = '', unit = 'mm', ppi = String(defaultPpi)] = found ?? [];
  const millimetres = Number(length) * millimetresIn[unit as keyof typeof millimetresIn];
  const size = { side: printSideOf[side] ?? side, millimetres, ppi: Number(ppi) };
  if (found !== null && Value.Check(PrintSize, size)) return size;
  throw new InvalidArgumentError(
    t(
      'Expected a length such as 40cm, 16in, short:30cm or width:400mm, and after an @ from 10 to 4800 pixels an inch.',
    ),
  );
}

const { canvas, position } = required(placingChoices);

export function readCanvas(text: string): Static<typeof canvas> {
  const [, width, height] = (/^(\d+)x(\d+)$/.exec(text) ?? []).map(Number);
  const found = { width, height };
  if (Value.Check(canvas, found)) return found;
  throw new InvalidArgumentError(t('Expected width and height in pixels, as in 2000x2000.'));
}

/** Reads an address as it is, and turns the name of a file into its address. */
export const readFileOrUrl = (text: string): string =>
  /^(https?|file|data):/i.test(text) ? text : pathToFileURL(path.resolve(text)).href;

export function readPosition(text: string): Static<typeof position> {
  const [, x, y] = (/^(\d+(?:\.\d+)?),(\d+(?:\.\d+)?)$/.exec(text) ?? []).map(Number);
  const found = { x, y };
  if (Value.Check(position, found)) return found;
  throw new InvalidArgumentError(t('Expected two numbers from 0 to 100, as in 50,100.'));
}

/**
 * Reads a place such as 0.4,0.25 or 40%,25% and adds it to those that were given before.
 *
 * @param before undefined at the first
 */
export const pointReader =
  (kind: StrokePoint['kind']) =>
  (text: string, before: StrokePoint[] = []): StrokePoint[] => {
    const share = String.raw`(\d*\.?\d+)(%?)`;
    const [, x = '', xUnit, y = '', yUnit] = new RegExp(`^${share},${share}$`).exec(text) ?? [];
    const shareOf = (value: string, unit: string | undefined) =>
      value === '' ? NaN : Number(value) / (unit === '%' ? 100 : 1);
    const found = { kind, x: shareOf(x, xUnit), y: shareOf(y, yUnit) };
    if (Value.Check(StrokePoint, found)) return [...before, found];
    throw new InvalidArgumentError(
      t("Expected a place as shares of the photo's width and height, as in 0.4,0.25 or 40%,25%."),
    );
  };

/**
 * Reads a box such as 0.1,0.2,0.5,0.6 or 10%,20%,50%,60%: its left upper corner, its width and its height.
 *
 * @param before undefined at the first
 */
export const boxReader =
  (kind: StrokePoint['kind']) =>
  (text: string, before: Stroke[] = []): Stroke[] => {
    const parts = text.split(',').map((part) => {
      const [, value, unit] = /^(\d*\.?\d+)(%?)$/.exec(part) ?? [];
      return value === undefined ? NaN : Number(value) / (unit === '%' ? 100 : 1);
    });
    const [x = NaN, y = NaN, width = NaN, height = NaN] = parts;
    const isBox = width > 0 && height > 0 && x + width <= 1 && y + height <= 1;
    if (isBox && parts.length === 4) return [...before, boxStroke(kind, { x, y, width, height })];
    throw new InvalidArgumentError(
      t(
        "Expected x, y, width and height as shares of the photo's width and height, as in 0.1,0.2,0.5,0.6 or 10%,20%,50%,60%.",
      ),
    );
  };

/** Reads a file of JSON that holds what `strokes` is in a submit. */
export function readStrokes(path: string): Stroke[] {
  const found = jsonIn(path);
  if (!Value.Check(Strokes, found))
    throw new InvalidArgumentError(
      t('Expected a list of strokes, as in {example}.', {
        example: '[{"kind":"remove","radius":0.05,"points":[[0.2,0.1]]}]',
      }),
    );
  return found;
}

function jsonIn(path: string): unknown {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new InvalidArgumentError(t('Expected a file with JSON: {reason}.', { reason: why }));
  }
}

/** Reads JSON that must be of one kind; `expected` names that kind in the refusal. */
export function readJson<T>(
  text: string,
  isIt: (found: unknown) => found is T,
  expected: string,
): T {
  try {
    const found: unknown = JSON.parse(text);
    if (isIt(found)) return found;
  } catch {
    // Text that is no JSON is refused below, as JSON of another kind is.
  }
  throw new InvalidArgumentError(t('Expected JSON with {what}.', { what: expected }));
}

export function readTemplate(text: string): string {
  try {
    return assertTemplate(text);
  } catch (error) {
    throw new InvalidArgumentError(error instanceof Error ? error.message : String(error));
  }
}

interface FieldRules {
  enum?: (string | number)[];
  const?: string | number;
  anyOf?: TSchema[];
  type?: string;
  exclusiveMinimum?: number;
  default?: string | number;
}

/** Words the values of a field: `auto, 0 to 100`, or in a sentence `auto, a whole number from 0 to 100`. */
function wordsOf(field: TSchema, isSentence: boolean): string {
  const { enum: values, const: only, anyOf, type, exclusiveMinimum } = field as FieldRules;
  if (anyOf !== undefined) return anyOf.map((branch) => wordsOf(branch, isSentence)).join(', ');
  if (values !== undefined) return values.join(', ');
  if (only !== undefined) return String(only);
  const { min, max } = boundsOf(field);
  if (exclusiveMinimum !== undefined)
    return t('more than {min}, up to {max}', { min: String(min), max: String(max) });
  const range = { min: String(min), max: String(max) };
  if (!isSentence) return t('{min} to {max}', range);
  return type === 'integer'
    ? t('a whole number from {min} to {max}', range)
    : t('a number from {min} to {max}', range);
}

/** Reads a value of a field's schema, and refuses other values by saying what the field may be. */
export function readerOf<T extends TSchema>(field: T): (text: string) => Static<T> {
  return (text) => {
    const value: unknown = text.trim() === '' || Number.isNaN(Number(text)) ? text : Number(text);
    if (Value.Check(field, value)) return value;
    throw new InvalidArgumentError(t('Expected {what}.', { what: wordsOf(field, true) }));
  };
}

export const readScale = readerOf(AnyScale);

/** Makes an option whose values are those of a field. Its help names these values, and the default. */
export function fieldOption(flags: string, description: string, field: TSchema): Option {
  const { default: usual, enum: values } = field as FieldRules;
  const usually = usual === undefined ? [] : [`${t('default')}: ${usual}`];
  // Commander itself names the values of a list in the help, and shells complete them.
  const words = [...(values === undefined ? [wordsOf(field, false)] : []), ...usually].join('; ');
  const option = new Option(flags, words === '' ? t(description) : `${t(description)} (${words})`);
  if (values !== undefined) option.choices(values.map(String));
  return option.argParser(readerOf(field));
}

export const integerOption = (
  flags: string,
  description: string,
  minimum: number,
  maximum: number,
): Option => fieldOption(flags, description, Type.Integer({ minimum, maximum }));

/** The help has these words for each field: its value, such as `<strength>`, and its description. */
type FieldWords<Fields> = {
  [Name in keyof Fields]-?: readonly [value: string, description: string];
};

/** Makes a field's flag: `--long-edge` of longEdge. */
export const flagOf = (field: string): string =>
  `--${field.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;

/** Adds a flag for each field, named after it: `--subject-scale <percent>` for subjectScale. */
export function fieldOptions<Fields extends TProperties>(
  command: Command,
  fields: Fields,
  words: FieldWords<Fields>,
): Command {
  for (const name of keysOf(fields)) {
    const [value, description] = words[name];
    const flag = flagOf(String(name));
    command.addOption(fieldOption(`${flag} ${value}`, description, fields[name] as TSchema));
  }
  return command;
}

/** Returns the name template. @throws Error for an unknown field and for a path into another folder */
export function assertTemplate(template: string): string {
  if (/[/\\]/.test(template))
    throw new Error(
      t('Expected a file name for --name but received a path: {name}', { name: template }),
    );
  for (const [placeholder, field] of template.matchAll(/\{([^}]*)\}/g))
    if (!nameFields.some((known) => known === field))
      throw new Error(
        t('Expected {fields} in --name but received {name}', {
          fields: `{${nameFields.join('}, {')}}`,
          name: placeholder,
        }),
      );
  return template;
}
