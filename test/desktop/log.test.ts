import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { log, logInto, logUncaught } from '../../electron/desktop/log.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

it('keeps what the application says in the data folder, where a person finds it', async () => {
  const dataDir = temporaryFolder();
  log('info', 'Before there is a folder.');
  logInto(dataDir);
  log('warn', 'No update.', { error: 'offline' });
  const lines = await readFile(path.join(dataDir, 'logs/enlarger.log'), 'utf8');
  expect(JSON.parse(lines)).toMatchObject({ level: 'warn', message: 'No update.' });
});

it('keeps an error that nothing caught, where a person finds it', async () => {
  const dataDir = temporaryFolder();
  logInto(dataDir);
  logUncaught();
  onTestFinished(() => void process.removeAllListeners('uncaughtExceptionMonitor'));
  (process as NodeJS.EventEmitter).emit(
    'uncaughtExceptionMonitor',
    new Error('Lost.'),
    'uncaughtException',
  );
  const lines = await readFile(path.join(dataDir, 'logs/enlarger.log'), 'utf8');
  expect(JSON.parse(lines)).toMatchObject({
    level: 'error',
    message: 'uncaughtException: Lost.',
    stack: expect.stringContaining('log.test.ts') as string,
  });
});
