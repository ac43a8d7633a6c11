/** `enlarger serve`, as packages bring it: without the launcher of a checkout. */
import { Value } from 'typebox/value';
import { describe, expect, it } from 'vitest';
import { StartLine } from '../../../packages/contract/src/settings/settings.ts';
import { startProgram } from '../../support/program.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { cliProgram } from '../../support/programs.ts';

describe('enlarger serve', () => {
  const start = (...words: string[]) => startProgram(process.execPath, [cliProgram, ...words]);

  it('answers until it is ended, and says where in one line', async () => {
    const running = start('serve', '--port', '0', '--data-dir', temporaryFolder());
    const line = Value.Parse(StartLine, JSON.parse(await running.firstLine));
    expect((await fetch(`${line.url}/api/health`)).ok).toBe(true);
    running.child.kill('SIGTERM');
    const { code, stdout } = await running.ended;
    expect([code, stdout.trim().split('\n').length]).toEqual([0, 1]);
  });

  it('takes each of its options, and each path that may be repeated', async () => {
    const folders = [temporaryFolder(), temporaryFolder()];
    const data = temporaryFolder();
    const allowed = folders.flatMap((folder) => ['--allow-folder', folder]);
    const running = start(
      'serve',
      '--port=0',
      '--data-dir',
      data,
      ...allowed,
      '--compat-port',
      '0',
    );
    const line = Value.Parse(StartLine, JSON.parse(await running.firstLine));
    expect(line.compatUrl).toMatch(/^http:/);
    const { stdout } = await start('grants', '--data-dir', data).ended;
    expect(stdout.trim().split('\n')).toEqual(folders);
    running.child.kill('SIGTERM');
    expect((await running.ended).code).toBe(0);
    const wrong = await start('serve', '--port', 'x').ended;
    expect([wrong.code, wrong.stderr]).toEqual([2, expect.stringContaining('--port')]);
  });

  it('is listed, explains itself, and refuses what it does not know', async () => {
    expect((await start('--help').ended).stdout).toMatch(/^ {2}serve /m);
    expect((await start('serve', '--help').ended).stdout).toContain('--allow-folder');
    const german = { ...process.env, LC_ALL: 'de_DE.UTF-8' };
    const help = await startProgram(process.execPath, [cliProgram, 'serve', '--help'], german)
      .ended;
    expect(help.stdout).toContain('wiederholbar, als Datei oder Ordner');
    const refused = await start('serve', '--prot', '1').ended;
    expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining("'--prot'")]);
  });
});
