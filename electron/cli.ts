/**
 * `enlarger`: a client of the API. Exit codes: 0 all is well, 1 a picture or the command failed,
 * 2 wrong usage, 130 interrupted (its own tasks are cancelled first).
 */
import { CommanderError, InvalidArgumentError } from 'commander';
import {
  cancelTasks,
  editIn,
  listTasks,
  switchQueue,
  workOnPhotos,
  withService,
  type Running,
} from './cli/commands.ts';
import { buildProgram } from './cli/program.ts';
import { openPage } from './cli/page-command.ts';
import { listWatches, watch } from './cli/watch-commands.ts';
import { findInstallation } from './installation.ts';

const interrupted = new AbortController();
// The terminal and npm may both say it; once is enough.
for (const name of ['SIGINT', 'SIGTERM'] as const)
  process.on(name, () => interrupted.abort(new Error('Interrupted.')));

// A reader that goes away, as in `| head`, ends no work.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);

const { signal } = interrupted;
const running: Running = { programUrl: import.meta.url, signal };
const exitWith = async (code: Promise<number>) => {
  process.exitCode = await code;
};
const { version } = findInstallation(import.meta.url);
const program = buildProgram(version, {
  programUrl: import.meta.url,
  photos: (command) => exitWith(workOnPhotos(command, running)),
  editIn: (command) => exitWith(editIn(command, running)),
  tasks: (options) => exitWith(listTasks(options, running)),
  cancel: (taskIds, options) => exitWith(cancelTasks(taskIds, options, running)),
  models: (options, work) =>
    exitWith(withService(options, running, ({ client }) => work(client, running.signal))),
  watch: (command) =>
    exitWith(withService(command, running, (connected) => watch(connected, command, signal))),
  watches: (options) =>
    exitWith(withService(options, running, ({ client }) => listWatches(client, options))),
  presets: (options, work) => exitWith(withService(options, running, ({ client }) => work(client))),
  switchQueue: (to, options) => exitWith(switchQueue(to, options, running)),
  mcp: (options) =>
    exitWith(
      withService(options, running, async ({ client }) => {
        const { serveMcp } = await import('./cli/serve-mcp.ts');
        return serveMcp(client, options, { version, signal });
      }),
    ),
  pool: (options, work) =>
    exitWith(withService(options, running, (connected) => work(connected, signal))),
  page: (options) =>
    exitWith(withService(options, running, (connected) => openPage(connected, signal))),
});

try {
  await program.parseAsync();
} catch (error) {
  process.exitCode = exitCodeOf(error);
}

function exitCodeOf(error: unknown): number {
  if (interrupted.signal.aborted) return 130;
  // What a command itself refuses, commander does not print.
  if (error instanceof InvalidArgumentError) console.error(`error: ${error.message}`);
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
  console.error(error instanceof Error ? error.message : error);
  return 1;
}
