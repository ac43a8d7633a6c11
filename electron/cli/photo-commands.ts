/** The commands that work on photos: what each takes, and what all of them take. */
import { Command, InvalidArgumentError, Option } from 'commander';
import path from 'node:path';
import { backgroundOf, backgroundWords } from '../contract/background.ts';
import { anyScales } from '../contract/common.ts';
import { hasQuality, outputFormats } from '../contract/formats.ts';
import { usualTemplate } from '../contract/naming.ts';
import { given, namesOf } from '../contract/given.ts';
import {
  conflictRules,
  edgeChoices,
  enlargeOrders,
  placingChoices,
  finishingChoices,
  keepChoices,
  metadataChoices,
  targetKinds,
  type ConflictRule,
  type EnlargeOrder,
  type RemoveBackgroundOptions,
  type UpscaleOptions,
} from '../contract/submit.ts';
import type { PrintSize } from '../contract/print-size.ts';
import type { Stroke } from '../contract/strokes.ts';
import {
  choiceOption,
  integerOption,
  readAutoOrPercent,
  readBitDepth,
  readCanvas,
  readFileOrUrl,
  readMegapixels,
  readPosition,
  readPrintSize,
  readScale,
  readStrokes,
  readTemplate,
  serviceOptions,
  type ServiceOptions,
} from './option-words.ts';
import type { WayOptions, Work } from './picture-way.ts';

export interface PhotoCommand extends ServiceOptions {
  names: string[];
  json: boolean;
  /** Whether folders give what Enlarger made too. */
  includeResults: boolean;
  /** Whether photos are sent to the service and results fetched, instead of granting their folders. */
  upload: boolean;
  options: WayOptions;
}

type Act = (command: PhotoCommand) => Promise<void>;

const outputNames = ['format', 'quality', 'bitDepth', 'model', 'metadata', 'priority'] as const;

export type RawOutput = Pick<UpscaleOptions, (typeof outputNames)[number]>;

/** What every command on photos takes. */
interface RawPhotos extends ServiceOptions, RawOutput {
  out?: string;
  name: string;
  onConflict: ConflictRule;
  overwrite?: true;
  includeResults: boolean;
  upload: boolean;
  json: boolean;
}

const sizeNames = ['scale', ...targetKinds] as const;

export type RawUpscale = Pick<
  UpscaleOptions,
  (typeof sizeNames)[number] | keyof typeof finishingChoices
> & { print?: PrintSize };

const cutoutNames = [
  ...(['background', 'backgroundImage', 'crop', 'maskOnly'] as const),
  ...namesOf(edgeChoices),
  ...namesOf(placingChoices),
];

export type RawCutout = Pick<RemoveBackgroundOptions, (typeof cutoutNames)[number]> &
  RawUpscale & { upscaler?: string; first?: EnlargeOrder };

const mostPx = 1_000_000;
const qualityWords = `for ${outputFormats.filter(hasQuality).join(', ')}`;

export function addUpscale(program: Command, act: Act): void {
  const command = program
    .command('upscale')
    .description('enlarge photos, whole folders and patterns such as "shots/**/*.jpg"')
    .argument('<photo...>', 'files, folders or patterns');
  photoOptions(upscaleOptions(command), `${usualTemplate('upscale')}.{ext}`).action(
    (names: string[], raw: RawUpscale & RawPhotos) =>
      act(commandOf(names, raw, { operation: 'upscale', body: upscaleBody(raw) })),
  );
}

export function addCutout(program: Command, act: Act): void {
  const command = program
    .command('cutout')
    .description('cut out the subjects of photos')
    .argument('<photo...>', 'files, folders or patterns')
    .option('--strokes <file>', 'JSON: what is painted over what is found', readStrokes);
  photoOptions(cutoutOptions(command), `${usualTemplate('remove-bg')}.{ext}`).action(
    (names: string[], raw: RawCutout & RawPhotos & { strokes?: Stroke[] }) => {
      const body = { ...cutoutBody(raw), ...given(raw, ['strokes']) };
      return act(commandOf(names, raw, { operation: 'remove-bg', body }));
    },
  );
}

/** One file in its place: the round trip of other programs. */
export interface EditCommand extends PhotoCommand {
  file: string;
  keepsOriginal: boolean;
}

interface RawEdit extends ServiceOptions, RawOutput {
  original: boolean;
}

export function addEditIn(program: Command, act: (command: EditCommand) => Promise<void>): void {
  const command = program
    .command('edit-in')
    .description('enlarge a file in its place, as "edit in" of other programs needs it')
    .argument('<file>', 'keeps its name, format, depth, profile and metadata')
    .option('--no-original', 'keep no copy of the original beside it');
  serviceOptions(outputOptions(upscaleOptions(command))).action(
    (name: string, raw: RawUpscale & RawEdit) => {
      const file = path.resolve(name);
      const work: Work = { operation: 'upscale', body: upscaleBody(raw) };
      return act({
        ...raw,
        names: [file],
        json: false,
        includeResults: true,
        upload: true,
        file,
        keepsOriginal: raw.original,
        options: {
          work,
          outDir: undefined,
          nameTemplate: '{name}.{ext}',
          onConflict: 'overwrite',
        },
      });
    },
  );
}

/** What enlarging takes beside what every photo takes. */
export const upscaleOptions = (command: Command): Command =>
  enlargingOptions(command, 'how many times as wide', ' (default: 2)');

function enlargingOptions(command: Command, words: string, usual = ''): Command {
  return command
    .addOption(
      new Option(
        '-s, --scale <times>',
        `${words}: ${anyScales.join(', ')}; 1 only cleans${usual}`,
      ).argParser(readScale),
    )
    .addOption(integerOption('--width <pixels>', 'the width, in place of a scale', 1, mostPx))
    .addOption(integerOption('--height <pixels>', 'the height, in place of a scale', 1, mostPx))
    .addOption(integerOption('--long-edge <pixels>', 'the longer side, so too', 1, mostPx))
    .addOption(
      new Option('--megapixels <number>', 'millions of pixels, so too').argParser(readMegapixels),
    )
    .option(
      '--print <size>',
      'a length on paper, so too: 40cm, 16in, width:400mm; @240 for other than 300 pixels an inch',
      readPrintSize,
    )
    .addOption(integerOption('--sharpen <strength>', 'sharpens the result', 0, 100))
    .option(
      '--restore <strength>',
      'how much compression and noise is taken off: auto, 0-100 (default: auto)',
      readAutoOrPercent,
    )
    .option(
      '--grain <strength>',
      "grain over the result: 0-100, auto as the photo's own (default: 0)",
      readAutoOrPercent,
    )
    .addOption(
      choiceOption(
        '--keep <what>',
        "faithful: reduced, the result is the source; colours: it has the source's colours",
        keepChoices,
      ),
    );
}

/** What cutting out takes, so too; strokes belong to one photo. */
export function cutoutOptions(command: Command): Command {
  return enlargingOptions(command, 'enlarges, too, so many times as wide')
    .option('--upscaler <id>', 'the model that enlarges, where a size was asked for')
    .addOption(
      choiceOption(
        '--first <what>',
        'where a size was asked for, what comes first (default: enlarge)',
        enlargeOrders,
      ),
    )
    .option('-b, --background <what>', `${backgroundWords} (default: transparent)`, readBackground)
    .option(
      '--background-image <file>',
      'a picture behind the subject: a file or an address',
      readFileOrUrl,
    )
    .addOption(integerOption('--shadow <percent>', 'a soft shadow under the subject', 0, 100))
    .option('--canvas <size>', 'the size of the result, as in 2000x2000', readCanvas)
    .addOption(
      integerOption('--subject-scale <percent>', 'how much of the canvas it fills', 1, 100),
    )
    .option('--position <x,y>', 'where on the canvas, in percent: 50,100', readPosition)
    .addOption(integerOption('--crop [percent]', 'to the subject, with a margin', 0, 100))
    .option('--mask-only', 'the mask itself as a grey picture of 16 bits')
    .addOption(integerOption('--feather <pixels>', 'softens the edge, inwards', 0, 200))
    .addOption(
      integerOption(
        '--decontaminate <percent>',
        'frees the edge of colours (default: 100)',
        0,
        100,
      ),
    );
}

/** How results are written. */
export function outputOptions(command: Command): Command {
  return command
    .addOption(choiceOption('-f, --format <format>', 'file format', [...outputFormats, 'same']))
    .addOption(integerOption('-q, --quality <number>', qualityWords, 1, 100))
    .option('--bit-depth <bits>', 'bits a channel: 8, 16, same', readBitDepth)
    .option('-m, --model <id>', 'a model that `enlarger models` lists')
    .addOption(choiceOption('--metadata <choice>', 'what is copied', metadataChoices))
    .addOption(integerOption('--priority <number>', 'higher ones run first', -10, 10));
}

/** Twice the size when none was asked for. */
export const upscaleBody = (raw: RawUpscale & RawOutput) => ({
  ...sizeOf(raw),
  // Cleaning without enlarging is always a wish for restoring.
  ...(raw.scale === 1 && { restore: 'auto' as const }),
  ...given(raw, [...outputNames, ...namesOf(finishingChoices)]),
});

export const cutoutBody = (raw: RawCutout & RawOutput): RemoveBackgroundOptions => ({
  ...given(raw, [...outputNames, ...cutoutNames]),
  ...enlargeOf(raw),
});

/** Enlarges where a size was asked for; what is said of it without one is a slip. */
function enlargeOf(raw: RawCutout): Pick<RemoveBackgroundOptions, 'enlarge'> {
  const { upscaler, first } = raw;
  const finishing = given(raw, namesOf(finishingChoices));
  const isSized = sizeNames.some((name) => raw[name] !== undefined) || raw.print !== undefined;
  const [idle] = Object.keys({ ...given(raw, ['upscaler', 'first']), ...finishing });
  if (!isSized && idle !== undefined)
    throw new InvalidArgumentError(
      `Expected --scale or another size beside --${idle}, which is about enlarging.`,
    );
  if (!isSized) return {};
  return {
    enlarge: {
      ...sizeOf(raw),
      ...finishing,
      ...(upscaler !== undefined && { model: upscaler }),
      ...(first !== undefined && { first }),
    },
  };
}

function photoOptions(command: Command, nameTemplate: string): Command {
  return serviceOptions(
    outputOptions(command)
      .option('-o, --out <folder>', 'where the results go (default: beside each photo)')
      .option('--name <template>', 'name of the results', readTemplate, nameTemplate)
      .addOption(
        choiceOption('--on-conflict <rule>', 'when the name is taken', conflictRules).default(
          'number',
        ),
      )
      .option('--overwrite', 'the same as --on-conflict overwrite')
      .option('--include-results', 'take what Enlarger made, too', false)
      .option('--upload', 'send the photos, instead of letting Enlarger into their folders', false)
      .option('--json', 'one JSON line a picture', false),
  );
}

function commandOf(names: string[], raw: RawPhotos, work: Work): PhotoCommand {
  return {
    ...raw,
    names,
    options: {
      work,
      outDir: raw.out === undefined ? undefined : path.resolve(raw.out),
      nameTemplate: raw.name,
      onConflict: raw.overwrite ? 'overwrite' : raw.onConflict,
    },
  };
}

/** The scale or the one size that was asked for; twice the size when nothing was. */
function sizeOf(raw: RawUpscale): Pick<UpscaleOptions, (typeof sizeNames)[number] | 'printSize'> {
  const { print } = raw;
  const asked = { ...given(raw, sizeNames), ...(print && { printSize: print }) };
  const names = Object.keys(asked).map((name) => (name === 'printSize' ? 'print' : name));
  if (names.length > 1)
    throw new InvalidArgumentError(`Expected one of ${names.join(' and ')}, not both.`);
  return names.length === 0 ? { scale: 2 } : asked;
}

function readBackground(text: string): string {
  const background = backgroundOf(text);
  if (background === undefined) throw new InvalidArgumentError(`Expected ${backgroundWords}.`);
  return background;
}
