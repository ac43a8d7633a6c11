/** The commands that work on photos: what each takes, and what all of them take. */
import { Command, InvalidArgumentError, Option } from 'commander';
import path from 'node:path';
import { backgroundOf, backgroundWords } from '../contract/background.ts';
import { anyScales, type AnyScale, type BitDepth } from '../contract/common.ts';
import { hasQuality, outputFormats } from '../contract/formats.ts';
import { usualTemplate } from '../contract/naming.ts';
import {
  conflictRules,
  keepChoices,
  metadataChoices,
  targetKinds,
  type ConflictRule,
  type Grain,
  type Keep,
  type Restore,
} from '../contract/submit.ts';
import type { Stroke } from '../contract/strokes.ts';
import {
  choiceOption,
  integerOption,
  readAutoOrPercent,
  readBitDepth,
  readMegapixels,
  readScale,
  readStrokes,
  readTemplate,
  serviceOptions,
  withoutUndefined,
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

export interface RawOutput {
  format?: Work['body']['format'];
  quality?: number;
  bitDepth?: BitDepth | 'same';
  model?: string;
  metadata?: Work['body']['metadata'];
  priority?: number;
}

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

export interface RawUpscale {
  /** 1: cleaned, or what else the model makes of a photo's own size. */
  scale?: AnyScale;
  width?: number;
  height?: number;
  longEdge?: number;
  megapixels?: number;
  sharpen?: number;
  restore?: Restore;
  grain?: Grain;
  keep?: Keep;
}

export interface RawCutout {
  background?: string;
  crop?: number | true;
  maskOnly?: true;
  feather?: number;
  decontaminate?: number;
}

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
      const body = { ...cutoutBody(raw), ...withoutUndefined({ strokes: raw.strokes }) };
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
export function upscaleOptions(command: Command): Command {
  return command
    .addOption(
      new Option(
        '-s, --scale <times>',
        `how many times as wide: ${anyScales.join(', ')}; 1 only cleans (default: 2)`,
      ).argParser(readScale),
    )
    .addOption(integerOption('--width <pixels>', 'the width, in place of a scale', 1, mostPx))
    .addOption(integerOption('--height <pixels>', 'the height, in place of a scale', 1, mostPx))
    .addOption(integerOption('--long-edge <pixels>', 'the longer side, so too', 1, mostPx))
    .addOption(
      new Option('--megapixels <number>', 'millions of pixels, so too').argParser(readMegapixels),
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
      choiceOption('--keep <what>', 'faithful: reduced, the result is the source', keepChoices),
    );
}

/** What cutting out takes, so too; strokes belong to one photo. */
export function cutoutOptions(command: Command): Command {
  return command
    .option('-b, --background <what>', `${backgroundWords} (default: transparent)`, readBackground)
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
  ...withoutUndefined({ ...outputFields(raw), ...finishingOf(raw) }),
});

/** Cleaning without enlarging is always a wish for restoring. */
const finishingOf = ({ scale, sharpen, restore, grain, keep }: RawUpscale) => ({
  sharpen,
  restore: restore ?? (scale === 1 ? ('auto' as const) : undefined),
  grain,
  keep,
});

export const cutoutBody = (raw: RawCutout & RawOutput) => {
  const { background, crop, maskOnly, feather, decontaminate } = raw;
  const own = { background, crop, maskOnly, feather, decontaminate };
  return withoutUndefined({ ...outputFields(raw), ...own });
};

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

const outputFields = ({ format, quality, bitDepth, model, metadata, priority }: RawOutput) => ({
  format,
  quality,
  bitDepth,
  model,
  metadata,
  priority,
});

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
function sizeOf(raw: RawUpscale): Pick<RawUpscale, 'scale' | (typeof targetKinds)[number]> {
  const { scale, width, height, longEdge, megapixels } = raw;
  const asked = withoutUndefined({ scale, width, height, longEdge, megapixels });
  const names = Object.keys(asked);
  if (names.length > 1)
    throw new InvalidArgumentError(`Expected one of ${names.join(' and ')}, not both.`);
  return names.length === 0 ? { scale: 2 } : asked;
}

function readBackground(text: string): string {
  const background = backgroundOf(text);
  if (background === undefined) throw new InvalidArgumentError(`Expected ${backgroundWords}.`);
  return background;
}
