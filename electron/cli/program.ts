/** The words of the command line. Wrong ones end in UsageError or commander's own errors. */
import { Command, InvalidArgumentError, Option } from 'commander';
import path from 'node:path';
import { bitDepths, outputFormats, scales, type BitDepth, type Scale } from '../contract/common.ts';
import {
  conflictRules,
  metadataChoices,
  targetKinds,
  type ConflictRule,
} from '../contract/task.ts';
import { assertTemplate, defaultTemplate } from './names.ts';
import type { UpscaleOptions } from './upscale.ts';

/** Where the service is: said to every command. */
export interface ServiceOptions {
  dataDir?: string;
  url?: string;
  key?: string;
}

export interface UpscaleCommand extends ServiceOptions {
  names: string[];
  json: boolean;
  options: UpscaleOptions;
}

export interface Commands {
  upscale(command: UpscaleCommand): Promise<void>;
  tasks(options: ServiceOptions & { limit: number; json: boolean }): Promise<void>;
  cancel(taskIds: string[], options: ServiceOptions): Promise<void>;
  models(options: ServiceOptions & { json: boolean }): Promise<void>;
}

const mostPx = 1_000_000;

interface RawUpscale extends ServiceOptions {
  scale?: Scale;
  width?: number;
  height?: number;
  longEdge?: number;
  megapixels?: number;
  sharpen?: number;
  out?: string;
  format?: UpscaleOptions['body']['format'];
  quality?: number;
  bitDepth?: BitDepth | 'same';
  model?: string;
  metadata?: UpscaleOptions['body']['metadata'];
  name: string;
  priority?: number;
  onConflict: ConflictRule;
  json: boolean;
}

export function buildProgram(version: string, commands: Commands): Command {
  const program = new Command('enlarger')
    .description('Enlarges photographs with neural networks on this machine.')
    .version(version)
    .exitOverride();
  addUpscale(program, commands);
  serviceOptions(program.command('tasks').description('list the newest tasks'))
    .addOption(integerOption('--limit <number>', 'how many', 1, 500).default(20))
    .option('--json', 'one JSON line a task', false)
    .action((options: ServiceOptions & { limit: number; json: boolean }) =>
      commands.tasks(options),
    );
  serviceOptions(program.command('cancel').description('cancel waiting or running tasks'))
    .argument('<taskId...>')
    .action((taskIds: string[], options: ServiceOptions) => commands.cancel(taskIds, options));
  serviceOptions(program.command('models').description('list the models'))
    .option('--json', 'one JSON line a model', false)
    .action((options: ServiceOptions & { json: boolean }) => commands.models(options));
  return program;
}

function addUpscale(program: Command, commands: Commands): void {
  const command = program
    .command('upscale')
    .description('enlarge photos, whole folders and patterns such as "shots/**/*.jpg"')
    .argument('<photo...>', 'files, folders or patterns')
    .addOption(
      new Option(
        '-s, --scale <times>',
        `how many times as wide: ${scales.join(', ')} (default: 2)`,
      ).argParser(readScale),
    )
    .addOption(integerOption('--width <pixels>', 'the width, in place of a scale', 1, mostPx))
    .addOption(integerOption('--height <pixels>', 'the height, in place of a scale', 1, mostPx))
    .addOption(integerOption('--long-edge <pixels>', 'the longer side, so too', 1, mostPx))
    .addOption(
      new Option('--megapixels <number>', 'millions of pixels, so too').argParser(readMegapixels),
    )
    .addOption(integerOption('--sharpen <strength>', 'sharpens the result', 0, 100))
    .option('-o, --out <folder>', 'where the results go (default: beside each photo)')
    .addOption(choiceOption('-f, --format <format>', 'file format', [...outputFormats, 'same']))
    .addOption(integerOption('-q, --quality <number>', 'for jpeg, webp and avif', 1, 100))
    .option('--bit-depth <bits>', 'bits a channel: 8, 16, same', readBitDepth)
    .option('-m, --model <id>', 'a model that `enlarger models` lists')
    .addOption(choiceOption('--metadata <choice>', 'what is copied', metadataChoices))
    .option('--name <template>', 'name of the results', readTemplate, defaultTemplate)
    .addOption(integerOption('--priority <number>', 'higher ones run first', -10, 10))
    .addOption(
      choiceOption('--on-conflict <rule>', 'when the name is taken', conflictRules).default(
        'number',
      ),
    )
    .option('--overwrite', 'the same as --on-conflict overwrite')
    .option('--json', 'one JSON line a picture', false);
  serviceOptions(command).action((names: string[], raw: RawUpscale & { overwrite?: true }) =>
    commands.upscale(readUpscale(names, raw)),
  );
}

function serviceOptions(command: Command): Command {
  return command
    .option('--data-dir <folder>', "the service's data folder")
    .option('--url <address>', 'the address of a running service')
    .option('--key <key>', 'its API key (default: cli.key in the data folder)');
}

function readUpscale(names: string[], raw: RawUpscale & { overwrite?: true }): UpscaleCommand {
  const { format, quality, bitDepth, model, metadata, priority, sharpen } = raw;
  const given = { format, quality, bitDepth, model, metadata, priority, sharpen };
  return {
    ...raw,
    names,
    options: {
      body: { ...sizeOf(raw), ...withoutUndefined(given) },
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

function readMegapixels(text: string): number {
  const value = Number(text);
  if (!(value > 0 && value <= 100_000))
    throw new InvalidArgumentError('Expected a number above 0 and up to 100000.');
  return value;
}

type Given<T> = { [Field in keyof T]?: Exclude<T[Field], undefined> };

function withoutUndefined<T extends object>(values: T): Given<T> {
  return Object.fromEntries(
    Object.entries(values).filter(([, value]) => value !== undefined),
  ) as Given<T>;
}

function readScale(text: string): Scale {
  const scale = scales.find((known) => String(known) === text);
  if (scale === undefined) throw new InvalidArgumentError(`Expected ${scales.join(', ')}.`);
  return scale;
}

function readBitDepth(text: string): BitDepth | 'same' {
  const bitDepth = bitDepths.find((known) => String(known) === text);
  if (bitDepth === undefined && text !== 'same')
    throw new InvalidArgumentError('Expected 8, 16, same.');
  return bitDepth ?? 'same';
}

function readTemplate(text: string): string {
  try {
    return assertTemplate(text);
  } catch (error) {
    throw new InvalidArgumentError(error instanceof Error ? error.message : String(error));
  }
}

function choiceOption(flags: string, description: string, choices: readonly string[]): Option {
  return new Option(flags, description).choices(choices);
}

function integerOption(flags: string, description: string, from: number, to: number): Option {
  return new Option(flags, `${description} (${from} to ${to})`).argParser((text) => {
    const value = Number(text);
    if (!Number.isInteger(value) || value < from || value > to)
      throw new InvalidArgumentError(`Expected a whole number from ${from} to ${to}.`);
    return value;
  });
}
