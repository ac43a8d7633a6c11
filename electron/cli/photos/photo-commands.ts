/** Declares the commands that work on photos, with the options of each and those of all of them. */
import { Command, InvalidArgumentError } from 'commander';
import path from 'node:path';
import { backgroundOf, backgroundWords } from '../../contract/background.ts';
import { AnyScale } from '../../contract/common.ts';
import { hasQuality, outputFormats } from '../../contract/formats.ts';
import { usualTemplate } from '../../contract/naming.ts';
import { given, namesOf } from '../../contract/given.ts';
import {
  CropMargin,
  edgeChoices,
  EnlargeFirst,
  finishingChoices,
  outputChoices,
  placingChoices,
  sizeFields,
  targetSizes,
  type ConflictRule,
  type EnlargeOrder,
  type RemoveBackgroundOptions,
  type UpscaleOptions,
} from '../../contract/submit.ts';
import type { PrintSize } from '../../contract/print-size.ts';
import type { Stroke } from '../../contract/strokes.ts';
import {
  fieldOption,
  fieldOptions,
  readCanvas,
  readFileOrUrl,
  readPosition,
  readPrintSize,
  readStrokes,
  readTemplate,
  serviceOptions,
  type ServiceOptions,
} from '../option-words.ts';
import type { ProcessOptions, Work } from './result-target.ts';

export interface PhotoCommand extends ServiceOptions {
  names: string[];
  json: boolean;
  /** Pictures in folders that Enlarger made are taken too. */
  includeResults: boolean;
  /**
   * How photos and results come and go. With 'grant' a running service is granted their folders, with
   * 'granted' it uses them as far as it already may, and with 'upload' every photo is sent and every result
   * fetched.
   */
  access: 'grant' | 'granted' | 'upload';
  options: ProcessOptions;
}

type Act = (command: PhotoCommand) => Promise<void>;

const outputNames = ['format', 'quality', 'bitDepth', 'model', 'metadata', 'priority'] as const;

export type RawOutput = Pick<UpscaleOptions, (typeof outputNames)[number]>;

/** Every command on photos takes these options, which commander has read. */
interface RawPhotos extends ServiceOptions, RawOutput {
  out?: string;
  name: string;
  onConflict: ConflictRule;
  overwrite?: true;
  includeResults: boolean;
  upload: boolean;
  json: boolean;
}

type SizeName = Exclude<(typeof sizeFields)[number], 'printSize'>;
const sizeNames = sizeFields.filter((name) => name !== 'printSize');

export type RawUpscale = Pick<UpscaleOptions, SizeName | keyof typeof finishingChoices> & {
  print?: PrintSize;
};

const cutoutNames = [
  ...(['background', 'backgroundImage', 'crop', 'maskOnly'] as const),
  ...namesOf(edgeChoices),
  ...namesOf(placingChoices),
];

export type RawCutout = Pick<RemoveBackgroundOptions, (typeof cutoutNames)[number]> &
  RawUpscale & { upscaler?: string; first?: EnlargeOrder };

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

/** This command enlarges one file in its place, which is the round trip of other programs. */
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
        access: 'granted',
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

/** Adds the options that enlarging takes beside those that all commands on photos take. */
export const upscaleOptions = (command: Command): Command =>
  enlargingOptions(command, 'how many times as wide', ' (default: 2)');

function enlargingOptions(command: Command, words: string, usual = ''): Command {
  command.addOption(
    fieldOption('-s, --scale <times>', `${words}; 1 only cleans${usual}`, AnyScale),
  );
  fieldOptions(command, targetSizes, {
    width: ['<pixels>', 'the width, in place of a scale'],
    height: ['<pixels>', 'the height, in place of a scale'],
    longEdge: ['<pixels>', 'the longer side, so too'],
    megapixels: ['<number>', 'millions of pixels, so too'],
  });
  command.option(
    '--print <size>',
    'a length on paper, so too: 40cm, 16in, width:400mm; @240 for other than 300 pixels an inch',
    readPrintSize,
  );
  return fieldOptions(command, finishingChoices, {
    sharpen: ['<strength>', 'sharpens the result'],
    restore: ['<strength>', 'how much compression and noise is taken off'],
    grain: ['<strength>', "grain over the result; auto as the photo's own"],
    keep: [
      '<what>',
      "faithful: reduced, the result is the source; colours: it has the source's colours",
    ],
  });
}

/**
 * Adds the options that cutting out takes beside those. Strokes are none of them: they belong to one photo.
 */
export function cutoutOptions(command: Command): Command {
  enlargingOptions(command, 'enlarges, too, so many times as wide')
    .option('--upscaler <id>', 'the model that enlarges, where a size was asked for')
    .addOption(
      fieldOption('--first <what>', 'where a size was asked for, what comes first', EnlargeFirst),
    )
    .option('-b, --background <what>', `${backgroundWords} (default: transparent)`, readBackground)
    .option(
      '--background-image <file>',
      'a picture behind the subject: a file or an address',
      readFileOrUrl,
    )
    .option('--canvas <size>', 'the size of the result, as in 2000x2000', readCanvas)
    .option('--position <x,y>', 'where on the canvas, in percent: 50,100', readPosition)
    .addOption(fieldOption('--crop [percent]', 'to the subject, with a margin', CropMargin))
    .option('--mask-only', 'the mask itself as a grey picture of 16 bits');
  const { shadow, subjectScale } = placingChoices;
  const fields = { shadow, subjectScale, ...edgeChoices };
  return fieldOptions(command, fields, {
    shadow: ['<percent>', 'a soft shadow under the subject'],
    subjectScale: ['<percent>', 'how much of the canvas it fills'],
    feather: ['<pixels>', 'softens the edge, inwards'],
    decontaminate: ['<percent>', 'frees the edge of colours'],
  });
}

/** Adds the options that say how results are written. */
export function outputOptions(command: Command): Command {
  const { format, quality, metadata, bitDepth, priority } = outputChoices;
  return fieldOptions(
    command
      .addOption(fieldOption('-f, --format <format>', 'file format', format))
      .addOption(fieldOption('-q, --quality <number>', qualityWords, quality))
      .option('-m, --model <id>', 'a model that `enlarger models` lists'),
    { bitDepth, metadata, priority },
    {
      bitDepth: ['<bits>', 'bits a channel'],
      metadata: ['<choice>', 'what is copied'],
      priority: ['<number>', 'higher ones run first'],
    },
  );
}

/** Makes the body of a submit. The size is doubled when none was asked for. */
export const upscaleBody = (raw: RawUpscale & RawOutput) => ({
  ...sizeOf(raw),
  // Somebody who cleans without enlarging always wants restoring.
  ...(raw.scale === 1 && { restore: 'auto' as const }),
  ...given(raw, [...outputNames, ...namesOf(finishingChoices)]),
});

export const cutoutBody = (raw: RawCutout & RawOutput): RemoveBackgroundOptions => ({
  ...given(raw, [...outputNames, ...cutoutNames]),
  ...enlargeOf(raw),
});

/** Makes the `enlarge` of a cut-out that has a size. It throws for options of enlarging without a size. */
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
        fieldOption(
          '--on-conflict <rule>',
          'when the name is taken',
          outputChoices.onConflict,
        ).default('number'),
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
    access: raw.upload ? 'upload' : 'grant',
    options: {
      work,
      outDir: raw.out === undefined ? undefined : path.resolve(raw.out),
      nameTemplate: raw.name,
      onConflict: raw.overwrite ? 'overwrite' : raw.onConflict,
    },
  };
}

/** Answers the scale or the one size that was asked for, or twice the size when nothing was. */
function sizeOf(raw: RawUpscale): Pick<UpscaleOptions, (typeof sizeFields)[number]> {
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
