/** Declares the words of the command line. Wrong words end in commander's own errors. */
import { Command } from 'commander';
import { addCompletion } from './completion.ts';
import { cancelTasks, listTasks, retryTasks, switchQueue } from './commands.ts';
import type { Ask, Programs } from './connect.ts';
import { addEditorCommands } from './editor-commands.ts';
import { manPage } from './man-page.ts';
import { integerOption, serviceOptions, type ServiceFlags } from './option-words.ts';
import { openPage } from './page-command.ts';
import { addPoolCommands } from './pool-commands.ts';
import { addGrantCommands } from './grant-commands.ts';
import { addPresetCommands } from './preset-commands.ts';
import { addDeviceCommands } from './models/device-commands.ts';
import { addModelCommands } from './models/model-commands.ts';
import { addMcpCommand, addServe } from './serve-commands.ts';
import { addWatchCommands } from './watch-commands.ts';
import { speakLanguage, t, translateHelp } from './text.ts';
import {
  addCutout,
  addEditIn,
  addUpscale,
  type EditCommand,
  type PhotoCommand,
} from './photos/photo-commands.ts';

interface Commands extends Pick<Programs, 'serve'> {
  /** Other programs start the command line by this URL. */
  programUrl: string;
  photos(command: PhotoCommand): Promise<void>;
  editIn(command: EditCommand): Promise<void>;
  /** Runs every other command. */
  ask: Ask;
}

export function buildProgram(version: string, commands: Commands): Command {
  const { ask } = commands;
  const program = speakLanguage(new Command('enlarger'))
    .description(
      'Enlarges photographs and cuts out their subjects with neural networks on this machine.',
    )
    .version(version, '-V, --version', t('output the version number'))
    .exitOverride();
  addUpscale(program, (command) => commands.photos(command));
  addCutout(program, (command) => commands.photos(command));
  addEditIn(program, (command) => commands.editIn(command));
  addEditorCommands(program, commands.programUrl);
  serviceOptions(program.command('tasks').description('list the newest tasks'))
    .addOption(integerOption('--limit <number>', 'how many', 1, 500).default(20))
    .option('--json', 'one JSON line a task', false)
    .action((options: ServiceFlags & { limit: number; json: boolean }) =>
      ask(options, ({ client }) => listTasks(client, options)),
    );
  serviceOptions(program.command('cancel').description('cancel waiting or running tasks'))
    .argument('<taskId...>')
    .action((taskIds: string[], options: ServiceFlags) =>
      ask(options, ({ client }) => cancelTasks(client, taskIds)),
    );
  serviceOptions(
    program
      .command('retry')
      .description('try failed tasks again; what only could not be saved is not enlarged again'),
  )
    .argument('<taskId...>', 'as `enlarger tasks` lists them')
    .action((taskIds: string[], options: ServiceFlags) =>
      ask(options, ({ client }, signal) => retryTasks(client, taskIds, signal), { isShared: true }),
    );
  serviceOptions(program.command('pause').description('let no task begin')).action(
    (options: ServiceFlags) => ask(options, ({ client }) => switchQueue(client, 'pause')),
  );
  serviceOptions(program.command('resume').description('let the queue go on')).action(
    (options: ServiceFlags) => ask(options, ({ client }) => switchQueue(client, 'resume')),
  );
  addModelCommands(program, ask);
  addDeviceCommands(program, ask);
  addWatchCommands(program, ask);
  addPresetCommands(program, ask);
  addGrantCommands(program, ask);
  addPoolCommands(program, ask);
  serviceOptions(
    program.command('page').description('open the page of the running service, or of its own one'),
  ).action((options: ServiceFlags) => ask(options, openPage, { isShared: true }));
  addServe(program, () => commands.serve());
  addMcpCommand(program, version, ask);
  program
    .command('man')
    .description('print the manual page, for man -l -')
    .action(() => {
      process.stdout.write(manPage(program, version));
    });
  // The hidden command lists what the others declare, so it comes last.
  addCompletion(program);
  translateHelp(program);
  for (const command of program.commands) refuseUnknownWords(command);
  return program;
}

/** Refuses `presets add`, which would be an argument of the command's default one. */
function refuseUnknownWords(command: Command): void {
  const names = command.commands.map((one) => one.name());
  if (names.length === 0) return;
  command.hook('preSubcommand', () => {
    const [word = '-'] = command.args;
    if (word.startsWith('-') || word === 'help' || names.includes(word)) return;
    const near = names.filter((name) => name.startsWith(word)).join(', ');
    const hint =
      near === '' ? '' : `\n(Did you mean ${near.includes(',') ? 'one of ' : ''}${near}?)`;
    command.error(`error: unknown command '${word}'${hint}`, { code: 'commander.unknownCommand' });
  });
}
