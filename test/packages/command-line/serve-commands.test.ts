/** `enlarger serve`, as packages bring it: without the launcher of a checkout. */
import { Value } from 'typebox/value';
import { describe, expect, it } from 'vitest';
import { StartLine } from '../../../electron/contract/settings/settings.ts';
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

  it('is listed, explains itself, and refuses what it does not know', async () => {
    expect((await start('--help').ended).stdout).toMatch(/^ {2}serve /m);
    expect((await start('serve', '--help').ended).stdout).toContain('--allow-folder');
    const refused = await start('serve', '--prot', '1').ended;
    expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining("'--prot'")]);
  });
});
