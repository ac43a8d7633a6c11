/** Declares the options of enlarging, cutting out and writing, and makes the bodies of submits from them. */
import { InvalidArgumentError, type Command } from 'commander';
import { backgroundOf, backgroundWords } from '../../../contract/src/options/background.ts';
import { AnyScale } from '../../../contract/src/common.ts';
import { formatOfEnding, hasQuality, outputFormats } from '../../../contract/src/formats.ts';
import { pickDefined, keysOf } from '../../../contract/src/pick-defined.ts';
import type { PrintSize } from '../../../contract/src/options/print-size.ts';
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
} from '../../../contract/src/request.ts';
import {
  fieldOption,
  fieldOptions,
  flagOf,
  readCanvas,
  readFileOrUrl,
  readPosition,
  readPrintSize,
  readerOf,
} from '../option-words.ts';
import { t } from '../text.ts';

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

const qualityWords = () =>
  t('for {formats}', { formats: outputFormats.filter(hasQuality).join(', ') });

/** Adds the options that enlarging takes beside those that all commands on photos take. */
export const upscaleOptions = (command: Command): Command =>
  fieldOptions(
    enlargingOptions(command, t('how many times as wide; 1 only cleans (default: 2)')),
    { amountMask: amountMaskChoices.amountMask },
    { amountMask: ['<where>', "where the model's result is used; elsewhere a plain enlargement"] },
  );

function enlargingOptions(command: Command, words: string): Command {
  command.addOption(fieldOption('-s, --scale <times>', words, AnyScale));
  fieldOptions(command, targetSizes, {
    width: ['<pixels>', 'width instead of a scale; the nearest scale is made, then resampled'],
    height: ['<pixels>', 'height instead of a scale'],
    longEdge: ['<pixels>', 'longer side instead of a scale'],
    megapixels: ['<number>', 'megapixels instead of a scale'],
  });
  command.option(
    '--print <size>',
    'length on paper instead of a scale: 40cm, 16in, width:400mm; @240 for another resolution than 300 pixels per inch',
    readPrintSize,
  );
  return fieldOptions(command, finishingChoices, {
    sharpen: ['<strength>', 'sharpens the result'],
    restore: [
      '<strength>',
      'how much compression, noise and softness is removed; auto: as measured',
    ],
    grain: ['<strength>', "adds grain; auto: like the photo's own"],
    keep: [
      '<what>',
      "faithful: reduced with the cubic kernel, the result equals the photo within 1 level; colours: it has the photo's colours",
    ],
    amount: ['<percent>', "opacity of the model's result over a plain enlargement"],
    detail: ['<percent>', 'how much --model detail adds beyond Natural'],
  });
}

/** Adds the options that cutting out takes beside those. Strokes are none of them: they belong to one photo. */
export function cutoutOptions(command: Command): Command {
  enlargingOptions(command, t('also enlarges, this many times as wide; 1 only cleans'))
    .option('--upscaler <id>', 'model that enlarges, beside a size')
    .addOption(fieldOption('--first <what>', 'what comes first, beside a size', EnlargeFirst))
    .option(
      '-b, --background <what>',
      `${t(backgroundWords)} (${t('default')}: transparent)`,
      readBackground,
    )
    .option(
      '--background-image <file>',
      'picture behind the subject: a file or an address',
      readFileOrUrl,
    )
    .option('--canvas <size>', 'size of the result, as in 2000x2000', readCanvas)
    .option(
      '--position <x,y>',
      'place of the subject on the canvas in percent, as in 50,100',
      readPosition,
    )
    .addOption(
      fieldOption('--crop [percent]', 'crops to the subject, with this margin', CropMargin),
    )
    .option('--mask-only', 'makes the mask itself, as a grey picture of 16 bits');
  const { shadow, subjectScale } = placingChoices;
  const fields = { shadow, subjectScale, ...edgeChoices };
  return fieldOptions(command, fields, {
    shadow: ['<percent>', 'soft shadow under the subject'],
    subjectScale: ['<percent>', 'how much of the canvas the subject fills'],
    feather: ['<pixels>', 'softens the edge inwards'],
    decontaminate: ['<percent>', "how much of the background's colour is removed from the edge"],
  });
}

const readFormatName = readerOf(outputChoices.format);

/** Takes a file ending, too, such as jpg or tif. */
const readFormat = (text: string) => readFormatName(formatOfEnding(text) ?? text);

/** Adds the options that say how results are written. */
export function outputOptions(command: Command): Command {
  const { format, quality, metadata, bitDepth, priority } = outputChoices;
  return fieldOptions(
    command
      .addOption(fieldOption('-f, --format <format>', 'file format', format).argParser(readFormat))
      .addOption(fieldOption('-q, --quality <number>', qualityWords(), quality))
      .option('-m, --model <id>', 'a model that `enlarger models` lists'),
    { bitDepth, metadata, priority },
    {
      bitDepth: ['<bits>', 'bits per channel'],
      metadata: ['<choice>', 'which metadata is copied'],
      priority: ['<number>', 'higher priorities run first'],
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
      t(
        'Expected a background beside --format jpeg, which holds no transparency: --background white, another colour or blur, or --background-image.',
      ),
    );
  if (options.position !== undefined && options.canvas === undefined)
    throw new InvalidArgumentError(
      t('Expected --canvas beside --position, which is a place on it.'),
    );
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
    t('Expected --scale or another size beside {flag}, which is about enlarging.', {
      flag: flagOf(field === 'model' ? 'upscaler' : field),
    }),
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
    throw new InvalidArgumentError(t('Expected only one of {flags}.', { flags: flags.join(', ') }));
  return flags.length === 0 ? undefined : requested;
}

function readBackground(text: string): string {
  const background = backgroundOf(text);
  if (background === undefined)
    throw new InvalidArgumentError(t('Expected {what}.', { what: t(backgroundWords) }));
  return background;
}
