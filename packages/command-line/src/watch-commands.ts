/** Declares the words of `enlarger watch` and `enlarger watches`, and does what they ask for. */
import type { Command } from 'commander';
import path from 'node:path';
import { realpath } from 'node:fs/promises';
import type { TaskChange } from '../../contract/src/task.ts';
import type { Watch } from '../../contract/src/settings/watch.ts';
import type { Client } from '../../api-client/src/client.ts';
import { keepEvents } from '../../api-client/src/events.ts';
import { padEnd, widestOf } from './columns.ts';
import type { Ask, CommandConnection } from './connect.ts';
import { makeFolder } from './local-files.ts';
import { serviceOptions, type ServiceFlags } from './option-words.ts';
import { presetNamed } from './preset-commands.ts';
import { eachOf } from './photos/report.ts';
import { printable } from './printable.ts';
import { failureText, t } from './text.ts';

type ListCommand = ServiceFlags & { json: boolean };

interface WatchCommand extends ServiceFlags {
  /** This path is absolute, and so is saveTo. */
  folder: string;
  saveTo: string;
  preset: string;
  recursive: boolean;
  existing: boolean;
}

export function addWatchCommands(program: Command, ask: Ask): void {
  serviceOptions(program.command('watch').description('process what arrives in a folder'))
    .argument('<folder>')
    .requiredOption('-p, --preset <name>', 'a preset that `enlarger presets` lists (required)')
    .requiredOption('--save-to <folder>', 'where the results go, in the same subfolders (required)')
    .option('--no-recursive', 'leave subfolders out')
    .option('--no-existing', 'leave out what is there already')
    .action((folder: string, options: Omit<WatchCommand, 'folder'>) => {
      const [from, saveTo] = [path.resolve(folder), path.resolve(options.saveTo)];
      return ask(
        options,
        (connected, signal) => watch(connected, { ...options, folder: from, saveTo }, signal),
        { isShared: true },
      );
    });
  const watches = program.command('watches').description('list the watched folders, remove some');
  serviceOptions(
    watches.command('list', { isDefault: true }).description('list the watched folders'),
  )
    .option('--json', 'one JSON line a folder', false)
    .action((options: ListCommand) => ask(options, ({ client }) => listWatches(client, options)));
  serviceOptions(
    watches.command('remove').description('watch folders no more; what was made of them stays'),
  )
    .argument('<folder...>', 'as `list` shows it')
    .action((folders: string[], options: ServiceFlags) =>
      ask(options, ({ client }) =>
        eachOf(folders, String, (folder) => removeWatches(client, path.resolve(folder))),
      ),
    );
}

/**
 * Watches a folder. Naming the folders on the command line grants them to the watch and its tasks alone. A folder
 * that is already watched goes on with this preset and place for its results. With a service of its own the command
 * stays until `signal` fires, and pauses the watch then: no later command goes on with it by the way.
 */
export async function watch(
  { client, isOwn }: CommandConnection,
  command: WatchCommand,
  signal: AbortSignal,
): Promise<number> {
  const added = await addWatch(client, command);
  console.log(watchLine(added));
  if (!isOwn) {
    console.error(t('It is watched as long as Enlarger, with or without a window, is running.'));
    return 0;
  }
  console.error(t('It is watched until you end this command with Ctrl+C.'));
  await reportTasks(client, signal);
  await client.changeWatch(added.id, { enabled: false });
  return 0;
}

async function addWatch(client: Client, command: WatchCommand): Promise<Watch> {
  const { recursive, existing } = command;
  const presetId = presetNamed(command.preset, await client.presets(), '--preset').id;
  const folder = await existingFolder(command.folder);
  makeFolder(command.saveTo);
  const saveTo = await realpath(command.saveTo);
  const choices = { saveTo, presetId, recursive, grants: [folder, saveTo] };
  const ofFolder = (await client.watches()).filter((one) => one.folder === folder);
  // The page can watch a folder for several places of results.
  const known = ofFolder.find((one) => one.saveTo === saveTo) ?? ofFolder[0];
  if (known === undefined) return client.addWatch({ folder, existing, ...choices });
  if (known.saveTo !== saveTo)
    console.error(t('Its results went to {folder} until now.', { folder: known.saveTo }));
  return client.changeWatch(known.id, { ...choices, enabled: true });
}

/** Removes all watches of a folder, which may be gone. */
async function removeWatches(client: Client, name: string): Promise<void> {
  const folder = await realpath(name).catch(() => name);
  const found = (await client.watches()).filter((one) => [name, folder].includes(one.folder));
  if (found.length === 0)
    throw new Error(t('Expected a folder that `enlarger watches` lists; nothing was removed.'));
  for (const { id } of found) await client.removeWatch(id);
}

/** Returns the real path of a folder, by which the service knows it. @throws Error a sentence for a missing one */
function existingFolder(name: string): Promise<string> {
  return realpath(name).catch((cause: unknown) => {
    throw new Error(t('There is no file or folder {name}.', { name }), { cause });
  });
}

/** Prints a line for each task that ends, until `signal` fires. */
async function reportTasks(client: Client, signal: AbortSignal): Promise<void> {
  const onChange = ({ record, removed }: TaskChange) => {
    if (removed || record === undefined) return;
    const { source, status, savedTo, error } = record;
    const name = printable(source.name);
    if (status === 'FAILED')
      console.error(
        `${name}: ${printable(error ? failureText(error.code, error.message) : t('It failed.'))}`,
      );
    if (status === 'FINISHED') console.log(`${name} -> ${printable(savedTo ?? t('skipped'))}`);
  };
  await keepEvents(() => client, { onChange }, signal);
}

export async function listWatches(client: Client, { json }: ListCommand): Promise<number> {
  const watches = await client.watches();
  if (watches.length === 0 && !json) console.error(t('No folders are watched.'));
  for (const watch of watches) console.log(json ? JSON.stringify(watch) : watchLine(watch));
  return 0;
}

const stateWords = () => ({
  watching: t('watching'),
  paused: t('paused'),
  unavailable: t('unavailable'),
});

function watchLine({ folder, saveTo, state, counts, message }: Watch): string {
  const { finished, seen, failed, cancelled } = counts;
  const done = t('{done} of {count} done, {failed} failed', {
    done: finished,
    count: seen,
    failed,
  });
  const ended = cancelled > 0 ? `${done}, ${cancelled} ${t('cancelled')}` : done;
  const words = stateWords();
  return printable(
    `${padEnd(words[state], widestOf(Object.values(words)))}  ${folder} -> ${saveTo}  ${ended}${message ? `  ${message}` : ''}`,
  );
}
