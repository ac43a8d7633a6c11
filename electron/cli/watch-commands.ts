/** `enlarger watch`, `watches` and `presets`: their words, and what they do. */
import type { Command } from 'commander';
import path from 'node:path';
import type { Preset } from '../contract/preset.ts';
import type { Watch } from '../contract/watch.ts';
import type { Client } from './client.ts';
import { serviceOptions, type ServiceOptions } from './option-words.ts';

export type ListCommand = ServiceOptions & { json: boolean };

export interface WatchCommand extends ServiceOptions {
  /** Absolute, as saveTo. */
  folder: string;
  saveTo: string;
  preset: string;
  recursive: boolean;
  existing: boolean;
}

export interface WatchCommands {
  watch(command: WatchCommand): Promise<void>;
  watches(options: ListCommand): Promise<void>;
  presets(options: ListCommand): Promise<void>;
}

export function addWatchCommands(program: Command, commands: WatchCommands): void {
  serviceOptions(program.command('watch').description('process what arrives in a folder'))
    .argument('<folder>')
    .requiredOption('-p, --preset <name>', 'a preset that `enlarger presets` lists')
    .requiredOption('--save-to <folder>', 'where the results go, in the same subfolders')
    .option('--no-recursive', 'leave subfolders out')
    .option('--no-existing', 'leave out what is there already')
    .action((folder: string, options: Omit<WatchCommand, 'folder'>) =>
      commands.watch({
        ...options,
        folder: path.resolve(folder),
        saveTo: path.resolve(options.saveTo),
      }),
    );
  serviceOptions(program.command('watches').description('list the watched folders'))
    .option('--json', 'one JSON line a folder', false)
    .action((options: ListCommand) => commands.watches(options));
  serviceOptions(program.command('presets').description('list the presets'))
    .option('--json', 'one JSON line a preset', false)
    .action((options: ListCommand) => commands.presets(options));
}

/** Naming the folders on the command line grants them. */
export async function addWatch(client: Client, command: WatchCommand): Promise<number> {
  const { folder, saveTo, recursive, existing } = command;
  const presetId = presetNamed(command.preset, (await client.presets()).presets).id;
  const { grantedFolders } = await client.settings();
  const granted = [...new Set([...grantedFolders, folder, saveTo])];
  if (granted.length > grantedFolders.length)
    await client.changeSettings({ grantedFolders: granted });
  const watch = await client.addWatch({ folder, saveTo, presetId, recursive, existing });
  console.log(watchLine(watch));
  console.error('It is watched as long as Enlarger, with or without a window, is running.');
  return 0;
}

function presetNamed(name: string, presets: readonly Preset[]): Preset {
  const found = presets.find((preset) => preset.name.toLowerCase() === name.toLowerCase());
  if (found) return found;
  const known = presets.map((preset) => preset.name).join(', ') || '(there is none yet)';
  throw new Error(`Expected --preset to be one of ${known} but received ${name}.`);
}

export async function listWatches(client: Client, { json }: ListCommand): Promise<number> {
  const { watches } = await client.watches();
  for (const watch of watches) console.log(json ? JSON.stringify(watch) : watchLine(watch));
  return 0;
}

function watchLine({ folder, saveTo, state, counts, message }: Watch): string {
  const done = `${counts.finished} of ${counts.seen} done, ${counts.failed} failed`;
  return `${state.padEnd(11)}  ${folder} -> ${saveTo}  ${done}${message ? `  ${message}` : ''}`;
}

export async function listPresets(client: Client, { json }: ListCommand): Promise<number> {
  const { presets } = await client.presets();
  for (const preset of presets) console.log(json ? JSON.stringify(preset) : presetLine(preset));
  return 0;
}

function presetLine({ name, operation, options }: Preset): string {
  const said = Object.entries(options).map(([field, value]) => `${field} ${String(value)}`);
  return `${name.padEnd(20)}  ${operation.padEnd(9)}  ${said.join(', ')}`;
}
