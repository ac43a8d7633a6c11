/** Makes the command line's manual page from the words of its help, in the format of man(7). It is pure. */
import type { Argument, Command, Option } from 'commander';
import { t } from './text.ts';

/** Escapes text for a manual page, so that no line begins a request and no hyphen becomes a dash. */
const plain = (text: string) =>
  text
    .replaceAll('\\', '\\e')
    .replaceAll('-', '\\-')
    .replace(/^(?=[.'])/gm, '\\&');

const bold = (text: string) => `\\fB${plain(text)}\\fR`;

const italic = (text: string) => `\\fI${plain(text)}\\fR`;
const heading = (text: string) => `.SH ${plain(text)}`;

function optionLines({ flags, description, defaultValue, argChoices }: Option): string[] {
  const hasDefault = ['string', 'number'].includes(typeof defaultValue);
  const choices = argChoices === undefined ? '' : ` (${t('choices')}: ${argChoices.join(', ')})`;
  const usual = hasDefault ? ` (${t('default')}: ${String(defaultValue)})` : '';
  return ['.TP', bold(flags), plain(`${description}${choices}${usual}`)];
}

function argumentLines(argument: Argument): string[] {
  const { argChoices, description } = argument;
  const choices = argChoices === undefined ? [] : [`${t('choices')}: ${argChoices.join(', ')}`];
  const words = [description, ...choices].filter((text) => text !== '').join('; ');
  return words === '' ? [] : ['.TP', bold(argument.name()), plain(words)];
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
    ...command.registeredArguments.flatMap(argumentLines),
    ...help
      .visibleOptions(command)
      .filter(({ long }) => long !== '--help')
      .flatMap(optionLines),
  ];
}

/** Returns the page of section 1, which ends in a line break. */
export function manPage(program: Command, version: string): string {
  const name = program.name();
  const lines = [
    `.TH ${name.toUpperCase()} 1 "" "Enlarger ${version}"`,
    heading(t('NAME')),
    `${plain(name)} \\- ${plain(program.description())}`,
    heading(t('SYNOPSIS')),
    `${bold(name)} ${italic(t('command'))} [${italic(t('options'))}] [${italic(t('files and folders'))}]`,
    heading(t('DESCRIPTION')),
    plain(
      t(
        'Each command uses the service that runs on this machine, or one of its own that ends with it.',
      ),
    ),
    plain(
      t(
        'Nothing leaves the machine but requests for what you name: addresses of photos, and models to fetch.',
      ),
    ),
    heading(t('COMMANDS')),
    ...commandsOf(program, name).flatMap(({ words, command }) => commandLines(words, command)),
    heading(t('EXIT STATUS')),
    ...[
      ['0', t('All is well.')],
      ['1', t('A picture or the command failed.')],
      ['2', t('The words were wrong.')],
      ['130', t('It was interrupted; its own tasks were cancelled first.')],
    ].flatMap(([code = '', meaning = '']) => ['.TP', bold(code), plain(meaning)]),
  ];
  return `${lines.join('\n')}\n`;
}
