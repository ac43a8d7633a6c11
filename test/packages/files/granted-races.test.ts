/**
 * Whoever can write inside a granted folder exchanges a folder in it for a link to elsewhere and back, as fast as
 * they can, while files are read and saved there a thousand times: nothing is read or written outside.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readdir, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { EnlargerError } from '../../../packages/contract/src/errors.ts';
import { saveToFolder } from '../../../electron/service/results/save-to-folder.ts';
import { openGrantedFile, openGrantedFolder } from '../../../packages/files/src/granted.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const tries = 1000;
/** On a busy machine there are fewer. */
const limitMs = 15_000;

/** Changes `sub` from a folder to a link to `outside` and back, in a process of its own. */
const swapper = `
  const { renameSync } = require('node:fs');
  const [sub, aside, link] = process.argv.slice(1);
  process.send('begun');
  const until = Date.now() + 120_000;
  while (Date.now() < until && process.connected) {
    renameSync(sub, aside); renameSync(link, sub);
    renameSync(sub, link); renameSync(aside, sub);
  }
`;

async function raced() {
  const [granted, outside] = [temporaryFolder(), temporaryFolder()];
  const at = (name: string) => path.join(granted, name);
  await mkdir(at('sub'));
  await writeFile(at('sub/photo'), 'inside');
  await writeFile(path.join(outside, 'photo'), 'outside');
  await symlink(outside, at('link'));
  const child = spawn(process.execPath, ['-e', swapper, at('sub'), at('aside'), at('link')], {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  await once(child, 'message');
  return { granted, outside, sub: at('sub') };
}

/** What is refused, or not there in that moment, is well. */
async function orRefused<T>(work: () => Promise<T>): Promise<T | undefined> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof EnlargerError) return undefined;
    throw error;
  }
}

describe('a single file that was granted', () => {
  it('is opened, and its neighbours are not', async () => {
    const folder = temporaryFolder();
    const at = (name: string) => path.join(folder, name);
    for (const name of ['a', 'b']) await writeFile(at(name), name);
    const file = await openGrantedFile(at('a'), [at('a')]);
    expect(await file.readFile('utf8')).toBe('a');
    await file.close();
    await expect(openGrantedFile(at('b'), [at('a')])).rejects.toBeInstanceOf(EnlargerError);
  });
});

describe.skipIf(process.platform === 'win32')('a folder that is exchanged (needs links)', () => {
  it('lets nothing outside be read', async () => {
    const { granted, sub } = await raced();
    const until = Date.now() + limitMs;
    const read = { inside: 0, outside: 0 };
    for (let i = 0; i < tries && Date.now() < until; i += 1) {
      const text = await orRefused(async () => {
        const file = await openGrantedFile(path.join(sub, 'photo'), [granted]);
        try {
          return await file.readFile('utf8');
        } finally {
          await file.close();
        }
      });
      if (text === 'inside' || text === 'outside') read[text] += 1;
    }
    expect(read.outside).toBe(0);
    expect(read.inside).toBeGreaterThan(0);
  });

  it('lets nothing be written outside', async () => {
    const { granted, outside, sub } = await raced();
    const from = path.join(temporaryFolder(), 'result');
    await writeFile(from, 'result');
    let saved = 0;
    const until = Date.now() + limitMs;
    for (let i = 0; i < tries && Date.now() < until; i += 1) {
      const path = await orRefused(async () =>
        saveToFolder({
          token: `t${i}`,
          from,
          folder: await openGrantedFolder(sub, [granted]),
          nameFor: (n) => `${i}-${n}`,
          rule: 'number',
          recorded: undefined,
          record: () => undefined,
        }),
      );
      if (path !== undefined) saved += 1;
    }
    expect(await readdir(outside)).toEqual(['photo']);
    expect(saved).toBeGreaterThan(0);
  });
});
