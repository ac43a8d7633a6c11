import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, readdir, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { readServiceFile } from '../../packages/files/src/service-file.ts';
import { openDataFolder } from '../../electron/service/data-folder.ts';
import { smallDisk } from '../support/small-disk.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const modulePath = new URL('../../electron/service/data-folder.ts', import.meta.url).href;

/** Another process that holds the folder until it is killed. */
async function holdElsewhere(dir: string) {
  const script = `
    const { openDataFolder } = await import(${JSON.stringify(modulePath)});
    const folder = openDataFolder(${JSON.stringify(dir)});
    folder.writeServiceFile({ url: 'http://127.0.0.1:1', pid: process.pid, version: '0' });
    console.log('held');
    setInterval(() => folder, 1000);`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  await once(child.stdout, 'data');
  return child;
}

describe('the data folder', () => {
  it.each([
    ['damaged', (lock: string) => writeFile(lock, 'this is no lock '.repeat(1000))],
    ['a folder', (lock: string) => mkdir(lock)],
  ])('with a lock that is %s is opened, and the lock set aside', async (_how, make) => {
    const dir = temporaryFolder();
    await make(join(dir, 'service.lock'));
    const folder = openDataFolder(dir);
    expect(() => openDataFolder(dir)).toThrow(/in use by another/);
    folder.close();
    const [aside = ''] = await readdir(join(dir, 'set-aside'));
    expect(await readdir(join(dir, 'set-aside', aside))).toEqual(['service.lock']);
  });

  it('stays with a service that runs though its lock was damaged', async () => {
    const dir = temporaryFolder();
    const child = await holdElsewhere(dir);
    await writeFile(join(dir, 'service.lock'), 'this is no lock '.repeat(1000));
    expect(() => openDataFolder(dir)).toThrow(new RegExp(`process ${child.pid}`));
  });

  it('that is read-only says so', (context) => {
    const disk = smallDisk(8);
    if (disk === undefined) return context.skip('nothing can be mounted here');
    const dir = join(disk, 'data');
    openDataFolder(dir).close();
    execFileSync('mount', ['-o', 'remount,ro', disk]);
    expect(() => openDataFolder(dir)).toThrow(
      `Expected the data folder ${dir} to be writable, but it is read-only: the disk is read-only. `,
    );
  });

  it('is held by one service: the second is told by whom', async () => {
    const dir = temporaryFolder();
    const child = await holdElsewhere(dir);
    expect(() => openDataFolder(dir)).toThrow(
      new RegExp(
        `in use by another Enlarger service \\(process ${child.pid} at http://127.0.0.1:1\\).*\\.$`,
      ),
    );
    expect(readServiceFile(dir)?.pid).toBe(child.pid);
  });

  it('that cannot be one is refused in a sentence', async () => {
    const file = join(temporaryFolder(), 'a file');
    await writeFile(file, 'mine');
    for (const place of [file, join(file, 'below')])
      expect(() => openDataFolder(place)).toThrow(
        /^The data folder .*a file.* cannot be used: .*\. Choose another one with --data-dir\.$/,
      );
  });

  it('is never wherever the program was started', () => {
    for (const place of ['', '.', 'data'])
      expect(() => openDataFolder(place)).toThrow(
        `Expected the data folder to be a whole path but received "${place}". Name one with --data-dir.`,
      );
    expect(existsSync('data') || existsSync('reserve')).toBe(false);
  });

  it.runIf(existsSync('/proc/self'))('that nobody can make is refused at once', () => {
    // Node's recursive mkdir never comes back from there.
    expect(() => openDataFolder('/proc/self/enlarger/data')).toThrow(/cannot be used: /);
  });

  it('is free again after kill -9', async () => {
    const dir = temporaryFolder();
    const child = await holdElsewhere(dir);
    child.kill('SIGKILL');
    await once(child, 'exit');
    const folder = openDataFolder(dir);
    expect(readServiceFile(dir)).toBeUndefined();
    folder.close();
  });

  it('is held within one process too, and free after close()', () => {
    const dir = temporaryFolder();
    const folder = openDataFolder(dir);
    expect(() => openDataFolder(dir)).toThrow(/just starting/);
    folder.close();
    openDataFolder(dir).close();
  });

  it('tells where the service is, to its user only, until close()', async () => {
    const dir = temporaryFolder();
    const folder = openDataFolder(dir);
    const info = { url: 'http://127.0.0.1:8617', pid: process.pid, version: '1.2.3' };
    folder.writeServiceFile(info);
    expect(readServiceFile(dir)).toEqual(info);
    if (process.platform !== 'win32') {
      expect((await stat(join(dir, 'service.json'))).mode & 0o777).toBe(0o600);
      expect((await stat(folder.results)).mode & 0o777).toBe(0o700);
    }
    folder.close();
    expect(await readdir(dir)).not.toContain('service.json');
  });
});
