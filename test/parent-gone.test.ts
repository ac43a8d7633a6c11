/** No service outlives the program that started it with a channel, as tests and the launcher do. */
import { existsSync } from 'node:fs';
import path from 'node:path';
import { Value } from 'typebox/value';
import { expect, it } from 'vitest';
import { StartLine } from '../packages/contract/src/settings/settings.ts';
import { isAlive } from '../electron/running-service.ts';
import { patient } from './support/machine-pace.ts';
import { startProgram } from './support/program.ts';
import { temporaryFolder } from './support/temporary-folder.ts';
import { headlessProgram } from './support/programs.ts';

const starter = (words: readonly string[]) => `
  import { spawn } from 'node:child_process';
  const stdio = ['ignore', 'inherit', 'inherit', 'ipc'];
  spawn(process.execPath, ${JSON.stringify(words)}, { stdio });
  setInterval(() => undefined, 1000);
`;

it('a service ends in order when its parent is killed', async () => {
  const dataDir = temporaryFolder();
  const words = [headlessProgram, '--port', '0', '--data-dir', dataDir];
  const parent = startProgram(process.execPath, ['--input-type=module', '-e', starter(words)]);
  const { pid } = Value.Parse(StartLine, JSON.parse(await parent.firstLine));
  expect(isAlive(pid)).toBe(true);
  parent.child.kill('SIGKILL');
  await expect.poll(() => isAlive(pid), { timeout: patient(30_000) }).toBe(false);
  expect(existsSync(path.join(dataDir, 'service.json'))).toBe(false);
});
