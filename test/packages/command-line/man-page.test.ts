import { execFileSync, spawnSync } from 'node:child_process';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { Command, Option } from 'commander';
import { manPage } from '../../../packages/command-line/src/man-page.ts';
import { loadLanguage, setCatalogue } from '../../../packages/command-line/src/text.ts';
import { root, startProgram } from '../../support/program.ts';
import { cliProgram } from '../../support/programs.ts';

const launcher = path.join(root, 'electron/launch.mjs');
const said = async (...words: string[]) => {
  const { stdout } = await startProgram(process.execPath, [launcher, 'cli', ...words]).ended;
  return stdout;
};
const hasMan = spawnSync('man', ['--version']).status === 0;

describe('the manual page', () => {
  it('names each command with its options, and their usual values', () => {
    const program = new Command('enlarger').description('Enlarges.');
    program
      .command('upscale')
      .description('does .it-well')
      .argument('<file...>')
      .addOption(new Option('--scale <factor>', 'how often').default(2))
      .addOption(new Option('--rule <rule>', 'or else').choices(['skip', 'number']));
    const page = manPage(program, '1.2.3');
    expect(page).toContain('.TH ENLARGER 1 "" "Enlarger 1.2.3"');
    expect(page).toContain('.SS\nenlarger upscale <file...>\ndoes .it\\-well');
    expect(page).toContain('\\fB\\-\\-scale <factor>\\fR\nhow often (default: 2)');
    expect(page).toContain('\\fB\\-\\-rule <rule>\\fR\nor else (choices: skip, number)');
    expect(page).not.toContain('help');
  });

  it('has the headings of the language', async () => {
    await loadLanguage('de');
    const page = manPage(new Command('enlarger').description('x'), '1.2.3');
    setCatalogue('en', {});
    expect(page.match(/^\.SH .*/gm)).toEqual([
      ...['.SH BEZEICHNUNG', '.SH ÜBERSICHT', '.SH BESCHREIBUNG', '.SH BEFEHLE'],
      '.SH EXIT\\-STATUS',
    ]);
    expect(page).toContain('\\fIBefehl\\fR [\\fIOptionen\\fR] [\\fIDateien und Ordner\\fR]');
  });

  it.skipIf(!hasMan)(
    `is read by man without a warning${hasMan ? '' : ' (skipped: no man)'}`,
    async () => {
      const page = await said('man');
      const shown = execFileSync('man', ['--warnings', '-l', '-'], {
        input: page,
        encoding: 'utf8',
        env: { ...process.env, MANWIDTH: '80', LC_ALL: 'C.UTF-8' },
      });
      expect(shown).toContain('enlarger cutout');
      expect(shown).toContain('--on-conflict');
    },
  );
});

it.skipIf(process.platform === 'win32')(
  'ends without a word when nobody reads what it says',
  async () => {
    for (const words of ['man', '--help']) {
      const piped = `"$0" "$1" ${words} | true; echo "\${PIPESTATUS[0]}"`;
      const { ended } = startProgram('bash', ['-c', piped, process.execPath, cliProgram]);
      expect(await ended).toMatchObject({ code: 0, stdout: '0\n', stderr: '' });
    }
  },
);

describe('completion', () => {
  it.each(['bash', 'zsh', 'fish', 'powershell'])('has a script for %s', async (shell) => {
    expect(await said('completion', shell)).toContain('enlarger');
  });

  it.skipIf(process.platform === 'win32')(
    'is sourced twice in a bash without bash-completion, and completes values and files',
    async () => {
      const lines = [
        'client=("$0" "$1"); enlarger() { "${client[@]}" "$@"; }',
        'for _ in 1 2; do source <(enlarger completion bash); done',
        'shown() { COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _enlarger_complete; echo "${COMPREPLY[*]}"; }',
        'shown enlarger upsc',
        'shown enlarger upscale --format j',
        'shown enlarger upscale --format = w',
        'shown enlarger upscale pho',
        'complete -p enlarger',
      ];
      const { ended } = startProgram('bash', [
        ...['--norc', '--noprofile', '-c', lines.join('\n'), process.execPath, cliProgram],
      ]);
      expect(await ended).toEqual({
        code: 0,
        stderr: '',
        stdout: [
          'upscale',
          'jpeg jxl',
          'webp',
          '',
          'complete -o bashdefault -o default -F _enlarger_complete enlarger\n',
        ].join('\n'),
      });
    },
  );

  it('offers commands, and the values of an option', async () => {
    expect(await said('complete', '--', '')).toMatch(/^upscale\b/m);
    expect(await said('complete', '--', 'upscale', '--format', '')).toMatch(/^(--format=)?jpeg\b/m);
  });
});
