/** Declares the commands that work on photos, with the options of all of them. */
import path from 'node:path';
import { InvalidArgumentError, type Command } from 'commander';
import { pickDefined } from '../../../contract/src/pick-defined.ts';
import { defaultTemplate, printTemplate } from '../../../contract/src/naming.ts';
import type { Stroke, StrokePoint } from '../../../contract/src/options/strokes.ts';
import { outputChoices, type ConflictRule } from '../../../contract/src/request.ts';
import {
  fieldOption,
  boxReader,
  pointReader,
  readStrokes,
  readTemplate,
  serviceOptions,
  type ServiceFlags,
} from '../option-words.ts';
import {
  cutoutBody,
  cutoutOptions,
  outputOptions,
  upscaleBody,
  upscaleOptions,
  type RawCutout,
  type RawOutput,
  type RawUpscale,
} from './photo-options.ts';
import type { ProcessOptions, PhotoOperation } from './result-target.ts';
import { t } from '../text.ts';

export interface PhotoCommand extends ServiceFlags {
  names: string[];
  json: boolean;
  /** Pictures in folders that Enlarger made are taken too. */
  includeResults: boolean;
  /**
   * How photos and results come and go: with 'grant' the service is granted them for the command's tasks, with
   * 'upload' every photo is sent and every result fetched.
   */
  access: 'grant' | 'upload';
  /** Makes all anew where the same command was interrupted, in place of going on with it. */
  again?: boolean;
  /** The name of a preset, whose options lie beneath those of the command line. */
  preset?: string;
  /** --out as it was typed: a folder, a file, or '-' for standard output. */
  out?: string;
  /** --name was typed; the options have a default otherwise. */
  hasOwnName?: boolean;
  /** --on-conflict or --overwrite was typed. */
  hasOwnConflictRule?: boolean;
  options: ProcessOptions;
}

type Act = (command: PhotoCommand) => Promise<void>;

/** Every command on photos takes these options, which commander has read. */
interface RawPhotos extends ServiceFlags, RawOutput {
  out?: string;
  name: string;
  onConflict: ConflictRule;
  overwrite?: true;
  includeResults: boolean;
  again: boolean;
  preset?: string;
  upload: boolean;
  json: boolean;
}

const photoWords = 'files, folders or patterns; - for standard input';

export function addUpscale(program: Command, act: Act): void {
  const command = program
    .command('upscale')
    .description('enlarge photos, whole folders and patterns such as "shots/**/*.jpg"')
    .argument('<photo...>', photoWords)
    .option('--strokes <file>', 'JSON: strokes over --amount-mask', readStrokes);
  photoOptions(upscaleOptions(command), `${defaultTemplate('upscale')}.{ext}`).action(
    (names: string[], raw: RawUpscale & RawPhotos & { strokes?: Stroke[] }) => {
      if (raw.strokes && raw.amountMask === undefined)
        throw new InvalidArgumentError(
          t('Expected --amount-mask everywhere, subject, background or painted beside --strokes.'),
        );
      const body = { ...upscaleBody(raw), ...pickDefined(raw, ['strokes']) };
      return act(commandOf(command, names, raw, { operation: 'upscale', body }));
    },
  );
}

interface RawMarks {
  keepAt?: StrokePoint[];
  removeAt?: StrokePoint[];
  keepBox?: Stroke[];
  removeBox?: Stroke[];
  strokes?: Stroke[];
}

export function addCutout(program: Command, act: Act): void {
  const command = program
    .command('cutout')
    .description('cut out the subjects of photos')
    .argument('<photo...>', photoWords)
    .option(
      '--keep-at <x,y>',
      'a point on an object that belongs to the subject, as in 0.4,0.25; repeatable',
      pointReader('keep'),
    )
    .option(
      '--remove-at <x,y>',
      'a point on an object that does not; repeatable',
      pointReader('remove'),
    )
    .option(
      '--keep-box <x,y,width,height>',
      'a box around the subject, as in 0.1,0.2,0.5,0.6; repeatable',
      boxReader('keep'),
    )
    .option(
      '--remove-box <x,y,width,height>',
      'a box around an object that does not belong to it; repeatable',
      boxReader('remove'),
    )
    .option('--strokes <file>', 'JSON: strokes over the mask that was found', readStrokes);
  photoOptions(cutoutOptions(command), `${defaultTemplate('remove-bg')}.{ext}`).action(
    (names: string[], raw: RawCutout & RawPhotos & RawMarks) => {
      const points = [...(raw.keepAt ?? []), ...(raw.removeAt ?? [])];
      const { keepBox = [], removeBox = [] } = raw;
      const strokes = [...keepBox, ...removeBox, ...(raw.strokes ?? [])];
      const body = {
        ...cutoutBody(raw),
        ...(points.length > 0 && { points }),
        ...(strokes.length > 0 && { strokes }),
      };
      return act(commandOf(command, names, raw, { operation: 'remove-bg', body }));
    },
  );
}

/** This command enlarges one file in its place, which is the round trip of other programs. */
export interface EditCommand extends PhotoCommand {
  file: string;
  keepsOriginal: boolean;
}

interface RawEdit extends ServiceFlags, RawOutput {
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
      const work: PhotoOperation = { operation: 'upscale', body: upscaleBody(raw) };
      return act({
        ...raw,
        names: [file],
        json: false,
        includeResults: true,
        access: 'grant',
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

function photoOptions(command: Command, nameTemplate: string): Command {
  return serviceOptions(
    outputOptions(command)
      .option('--preset <name>', 'a preset of `enlarger presets`, which other options override')
      .option(
        '-o, --out <folder>',
        'folder of the results, or file of a single one, or - for standard output (default: beside each photo)',
      )
      .option('--name <template>', 'name of the results', readTemplate, nameTemplate)
      .addOption(
        fieldOption(
          '--on-conflict <rule>',
          'when the name is taken',
          outputChoices.onConflict,
        ).default('number'),
      )
      .option('--overwrite', 'the same as --on-conflict overwrite')
      .option('--include-results', 'include pictures that Enlarger made', false)
      .option('--again', 'make everything anew, even if this command was interrupted before', false)
      .option('--upload', 'send the photos instead of granting access to their folders', false)
      .option('--json', 'one line of JSON per picture', false),
  );
}

const isPrint = ({ operation, body }: PhotoOperation) =>
  operation === 'upscale' && body.printSize !== undefined;

function commandOf(
  command: Command,
  names: string[],
  raw: RawPhotos,
  work: PhotoOperation,
): PhotoCommand {
  const isTyped = (option: string) => command.getOptionValueSource(option) === 'cli';
  return {
    ...raw,
    names,
    hasOwnName: isTyped('name'),
    hasOwnConflictRule: isTyped('onConflict') || isTyped('overwrite'),
    access: raw.upload ? 'upload' : 'grant',
    options: {
      work,
      outDir: raw.out === undefined ? undefined : path.resolve(raw.out),
      nameTemplate: isTyped('name') || !isPrint(work) ? raw.name : `${printTemplate}.{ext}`,
      onConflict: raw.overwrite ? 'overwrite' : raw.onConflict,
    },
  };
}
