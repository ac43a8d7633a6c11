import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { stripTypeScriptTypes } from 'node:module';
import path from 'node:path';
import { expect, it } from 'vitest';
import { failpointVariable } from '../../../electron/engine/protocol/failpoints.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const source = path.resolve(import.meta.dirname, '../../../electron/engine/protocol/failpoints.ts');

/** Runs a process that reaches a step twice and dies at the second time. @returns how it ended */
async function endOf(file: string): Promise<string> {
  const script = `
    const { failpoint } = await import(${JSON.stringify(file)});
    failpoint('claimed'); failpoint('told'); failpoint('claimed');
    console.log('lives');`;
  const env = { ...process.env, [failpointVariable]: 'claimed@2' };
  return new Promise((resolve) => {
    execFile(process.execPath, ['--input-type=module', '-e', script], { env }, (error, stdout) =>
      resolve(error?.signal ?? stdout.trim()),
    );
  });
}

it('kills where the program runs from its sources, and never in a build', async () => {
  const built = path.join(temporaryFolder(), 'failpoints.js');
  await writeFile(built, stripTypeScriptTypes(await readFile(source, 'utf8')));
  expect(await endOf(source)).toBe('SIGKILL');
  expect(await endOf(built)).toBe('lives');
});
