/** Makes the command line's manual page from the words of its help, in the format of man(7). It is pure. */
import type { Command, Option } from 'commander';

/** Escapes text for a manual page, so that no line begins a request and no hyphen becomes a dash. */
const plain = (text: string) =>
  text
    .replaceAll('\\', '\\e')
    .replaceAll('-', '\\-')
    .replace(/^(?=[.'])/gm, '\\&');

const bold = (text: string) => `\\fB${plain(text)}\\fR`;

function optionLines({ flags, description, defaultValue }: Option): string[] {
  const isWorthSaying = ['string', 'number'].includes(typeof defaultValue);
  const usual = isWorthSaying ? ` (default: ${String(defaultValue)})` : '';
  return ['.TP', bold(flags), plain(`${description}${usual}`)];
}

/** Lists the commands that do something themselves, each with all words up to its own name. */
function commandsOf(command: Command, before: string): { words: string; command: Command }[] {
  return command
    .createHelp()
    .visibleCommands(command)
    .filter((own) => own.name() !== 'help')
    .flatMap((own) => {
      const words = `${before} ${own.name()}`;
      const within = commandsOf(own, words);
      return within.length > 0 ? within : [{ words, command: own }];
    });
}

function commandLines(words: string, command: Command): string[] {
  const help = command.createHelp();
  const usage = command.usage().replace('[options] ', '').replace('[options]', '');
  return [
    '.SS',
    plain(`${words} ${usage}`.trim()),
    plain(command.description()),
    ...help
      .visibleOptions(command)
      .filter(({ long }) => long !== '--help')
      .flatMap(optionLines),
  ];
}

/** Answers the page of section 1, which ends in a line break. */
export function manPage(program: Command, version: string): string {
  const name = program.name();
  const lines = [
    `.TH ${name.toUpperCase()} 1 "" "Enlarger ${version}"`,
    '.SH NAME',
    `${plain(name)} \\- ${plain(program.description())}`,
    '.SH SYNOPSIS',
    `${bold(name)} \\fIcommand\\fR [\\fIoptions\\fR] [\\fIfiles and folders\\fR]`,
    '.SH DESCRIPTION',
    'Each command uses the service that runs on this machine, or one of its own that ends with it.',
    'Nothing leaves the machine but what is asked for: addresses of photos, and models to fetch.',
    '.SH COMMANDS',
    ...commandsOf(program, name).flatMap(({ words, command }) => commandLines(words, command)),
    '.SH EXIT STATUS',
    ...[
      ['0', 'All is well.'],
      ['1', 'A picture or the command failed.'],
      ['2', 'The words were wrong.'],
      ['130', 'It was interrupted; its own tasks were cancelled first.'],
    ].flatMap(([code = '', meaning = '']) => ['.TP', bold(code), meaning]),
  ];
  return `${lines.join('\n')}\n`;
}
