/** Declares the options of enlarging, cutting out and writing, and makes the bodies of submits from them. */
import { InvalidArgumentError, type Command } from 'commander';
import { backgroundOf, backgroundWords } from '../../contract/options/background.ts';
import { AnyScale } from '../../contract/common.ts';
import { hasQuality, outputFormats } from '../../contract/formats.ts';
import { pickDefined, keysOf } from '../../contract/pick-defined.ts';
import type { PrintSize } from '../../contract/options/print-size.ts';
import {
  amountMaskChoices,
  CropMargin,
  edgeChoices,
  EnlargeFirst,
  finishingChoices,
  outputChoices,
  placingChoices,
  sizeFields,
  targetSizes,
  type EnlargeOrder,
  type RemoveBackgroundOptions,
  type UpscaleOptions,
} from '../../contract/request.ts';
import {
  fieldOption,
  fieldOptions,
  flagOf,
  readCanvas,
  readFileOrUrl,
  readPosition,
  readPrintSize,
} from '../option-words.ts';

const outputNames = ['format', 'quality', 'bitDepth', 'model', 'metadata', 'priority'] as const;

export type RawOutput = Pick<UpscaleOptions, (typeof outputNames)[number]>;

type SizeName = Exclude<(typeof sizeFields)[number], 'printSize'>;
const sizeNames = sizeFields.filter((name) => name !== 'printSize');

export type RawUpscale = Pick<
  UpscaleOptions,
  SizeName | keyof typeof finishingChoices | 'amountMask'
> & {
  print?: PrintSize;
};

const cutoutNames = [
  ...(['background', 'backgroundImage', 'crop', 'maskOnly'] as const),
  ...keysOf(edgeChoices),
  ...keysOf(placingChoices),
];

export type RawCutout = Pick<RemoveBackgroundOptions, (typeof cutoutNames)[number]> &
  RawUpscale & { upscaler?: string; first?: EnlargeOrder };

const qualityWords = `for ${outputFormats.filter(hasQuality).join(', ')}`;

/** Adds the options that enlarging takes beside those that all commands on photos take. */
export const upscaleOptions = (command: Command): Command =>
  fieldOptions(
    enlargingOptions(command, 'how many times as wide', ' (default: 2)'),
    { amountMask: amountMaskChoices.amountMask },
    { amountMask: ['<where>', "where the network's result is used; plain elsewhere"] },
  );

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
    amount: ['<percent>', "opacity of the network's result over a plain enlargement"],
  });
}

/** Adds the options that cutting out takes beside those. Strokes are none of them: they belong to one photo. */
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

/** A photo whose size nobody named is doubled. */
export const defaultScale = { scale: 2 } as const;

/** What a preset says is not defaulted here: its options are put beneath the body. */
interface PresetName {
  preset?: string;
}

/** Makes the body of a submit. Without a preset a missing size is the default scale. */
export const upscaleBody = (raw: RawUpscale & RawOutput & PresetName) => ({
  ...(sizeOf(raw) ?? (raw.preset === undefined ? defaultScale : {})),
  // Somebody who cleans without enlarging always wants restoring.
  ...(raw.scale === 1 && raw.preset === undefined && { restore: 'auto' as const }),
  ...pickDefined(raw, [...outputNames, ...keysOf(finishingChoices), 'amountMask']),
});

export function cutoutBody(raw: RawCutout & RawOutput & PresetName): RemoveBackgroundOptions {
  if (raw.preset === undefined) assertBackground(raw);
  return { ...pickDefined(raw, [...outputNames, ...cutoutNames]), ...enlargeOf(raw) };
}

/** @throws InvalidArgumentError where a cut-out lacks the background or canvas that its options need */
export function assertBackground(
  options: Pick<
    RemoveBackgroundOptions,
    'format' | 'background' | 'backgroundImage' | 'maskOnly' | 'position' | 'canvas'
  >,
): void {
  const { format, background = 'transparent', backgroundImage, maskOnly } = options;
  if (format === 'jpeg' && background === 'transparent' && !backgroundImage && !maskOnly)
    throw new InvalidArgumentError(
      'Expected a background beside --format jpeg, which holds no transparency: --background white, another colour or blur, or --background-image.',
    );
  if (options.position !== undefined && options.canvas === undefined)
    throw new InvalidArgumentError('Expected --canvas beside --position, which is a place on it.');
}

/**
 * Makes the `enlarge` of a cut-out that has a size. A preset may name the size.
 *
 * @throws InvalidArgumentError for options of enlarging without a size or preset
 */
function enlargeOf(raw: RawCutout & PresetName): Pick<RemoveBackgroundOptions, 'enlarge'> {
  const { upscaler, first } = raw;
  const finishing = pickDefined(raw, keysOf(finishingChoices));
  const isSized = sizeNames.some((name) => raw[name] !== undefined) || raw.print !== undefined;
  const [idle] = Object.keys({ ...pickDefined(raw, ['upscaler', 'first']), ...finishing });
  if (idle === undefined && !isSized) return {};
  if (!isSized && raw.preset === undefined) throw idleOptionError(idle ?? '');
  return {
    enlarge: {
      ...sizeOf(raw),
      ...finishing,
      ...(upscaler !== undefined && { model: upscaler }),
      ...(first !== undefined && { first }),
    },
  };
}

export const idleOptionError = (field: string) =>
  new InvalidArgumentError(
    `Expected --scale or another size beside ${flagOf(field === 'model' ? 'upscaler' : field)}, which is about enlarging.`,
  );

/**
 * Returns the scale or the one size that was requested, undefined without one.
 *
 * @throws InvalidArgumentError for several sizes
 */
function sizeOf(raw: RawUpscale): Pick<UpscaleOptions, (typeof sizeFields)[number]> | undefined {
  const { print } = raw;
  const requested = { ...pickDefined(raw, sizeNames), ...(print && { printSize: print }) };
  const flags = Object.keys(requested).map((name) => flagOf(name === 'printSize' ? 'print' : name));
  if (flags.length > 1)
    throw new InvalidArgumentError(`Expected one of ${flags.join(' and ')}, not both.`);
  return flags.length === 0 ? undefined : requested;
}

function readBackground(text: string): string {
  const background = backgroundOf(text);
  if (background === undefined) throw new InvalidArgumentError(`Expected ${backgroundWords}.`);
  return background;
}
