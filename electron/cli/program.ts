/** The words of the command line. Wrong ones end in commander's own errors. */
import tab from '@bomb.sh/tab/commander';
import { Command } from 'commander';
import { addEditorCommands } from './editor-commands.ts';
import { manPage } from './man-page.ts';
import { integerOption, serviceOptions, type ServiceOptions } from './option-words.ts';
import { addPoolCommands, type PoolWork } from './pool-commands.ts';
import { addPresetCommands, type PresetWork } from './preset-commands.ts';
import { addDeviceCommands } from './device-commands.ts';
import { addModelCommands, type ModelWork } from './model-commands.ts';
import { addMcpCommand, type McpOptions, addServe } from './serve-commands.ts';
import { addWatchCommands, type WatchCommands } from './watch-commands.ts';
import {
  addCutout,
  addEditIn,
  addUpscale,
  type EditCommand,
  type PhotoCommand,
} from './photo-commands.ts';

export interface Commands extends WatchCommands {
  /** Of the command line itself: what other programs start. */
  programUrl: string;
  photos(command: PhotoCommand): Promise<void>;
  editIn(command: EditCommand): Promise<void>;
  tasks(options: ServiceOptions & { limit: number; json: boolean }): Promise<void>;
  cancel(taskIds: string[], options: ServiceOptions): Promise<void>;
  models(options: ServiceOptions, work: ModelWork): Promise<void>;
  presets(options: ServiceOptions, work: PresetWork): Promise<void>;
  switchQueue(to: 'pause' | 'resume', options: ServiceOptions): Promise<void>;
  page(options: ServiceOptions): Promise<void>;
  pool(options: ServiceOptions, work: PoolWork): Promise<void>;
  mcp(options: McpOptions): Promise<void>;
}

export function buildProgram(version: string, commands: Commands): Command {
  const program = new Command('enlarger')
    .description(
      'Enlarges photographs and cuts out their subjects with neural networks on this machine.',
    )
    .version(version)
    .exitOverride();
  addUpscale(program, (command) => commands.photos(command));
  addCutout(program, (command) => commands.photos(command));
  addEditIn(program, (command) => commands.editIn(command));
  addEditorCommands(program, commands.programUrl);
  serviceOptions(program.command('tasks').description('list the newest tasks'))
    .addOption(integerOption('--limit <number>', 'how many', 1, 500).default(20))
    .option('--json', 'one JSON line a task', false)
    .action((options: ServiceOptions & { limit: number; json: boolean }) =>
      commands.tasks(options),
    );
  serviceOptions(program.command('cancel').description('cancel waiting or running tasks'))
    .argument('<taskId...>')
    .action((taskIds: string[], options: ServiceOptions) => commands.cancel(taskIds, options));
  serviceOptions(program.command('pause').description('let no task begin')).action(
    (options: ServiceOptions) => commands.switchQueue('pause', options),
  );
  serviceOptions(program.command('resume').description('let the queue go on')).action(
    (options: ServiceOptions) => commands.switchQueue('resume', options),
  );
  addModelCommands(program, (options, work) => commands.models(options, work));
  addDeviceCommands(program, (options, work) => commands.models(options, work));
  addWatchCommands(program, commands);
  addPresetCommands(program, (options, work) => commands.presets(options, work));
  addPoolCommands(program, (options, work) => commands.pool(options, work));
  serviceOptions(
    program.command('page').description('open the page of the running service, or of its own one'),
  ).action((options: ServiceOptions) => commands.page(options));
  addServe(program);
  addMcpCommand(program, (options) => commands.mcp(options));
  program
    .command('man')
    .description('print the manual page, for man -l -')
    .action(() => {
      process.stdout.write(manPage(program, version));
    });
  // Scripts for bash, zsh, fish and PowerShell, and the hidden command that they ask at each tab.
  tab(program, { completionCommandName: 'completion' });
  return program;
}
