/** The launcher as people start it: with npm, with its own name, and with signals. */
import { existsSync } from 'node:fs';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { Value } from 'typebox/value';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createClient } from '../packages/api-client/src/client.ts';
import { StartLine, type SessionKey } from '../packages/contract/src/settings/settings.ts';
import { writeSmallJpeg } from './support/pictures.ts';
import { root, startProgram } from './support/program.ts';
import { temporaryFolder } from './support/temporary-folder.ts';

const launcher = path.join(root, 'electron/launch.mjs');

describe('the launcher', () => {
  let dataDir: string;
  // This builds what is missing or stale, as every start does.
  beforeAll(async () => {
    expect((await startProgram(process.execPath, [launcher, 'cli', '--version']).ended).code).toBe(
      0,
    );
  });
  beforeEach(() => void (dataDir = temporaryFolder()));

  const serveArgs = () => ['--port', '0', '--data-dir', dataDir];

  it.each(['SIGTERM', 'SIGINT'] as const)('ends with 0 on %s to it', async (signal) => {
    const running = startProgram(process.execPath, [launcher, 'serve', ...serveArgs()]);
    await running.firstLine;
    running.child.kill(signal);
    expect((await running.ended).code).toBe(0);
    expect(await processesOf(dataDir)).toEqual([]);
  });

  it('puts one JSON line on standard output under npm, and ends with npm', async () => {
    const running = startProgram('npm', ['run', '--silent', 'serve', '--', ...serveArgs()]);
    const line = Value.Parse(StartLine, JSON.parse(await running.firstLine));
    expect((await fetch(`${line.url}/api/health`)).ok).toBe(true);
    running.child.kill('SIGTERM');
    const { code, stdout } = await running.ended;
    expect(code).toBe(0);
    expect(stdout.trim().split('\n')).toHaveLength(1);
    expect(await processesOf(dataDir)).toEqual([]);
  });

  it('is the command line client without a word of its own', async () => {
    const { ended } = startProgram(process.execPath, [launcher, 'upscale']);
    expect(await ended).toMatchObject({ code: 2, stdout: '' });
  });

  it.each(['serve', 'start'])('explains %s and starts nothing', async (command) => {
    const { ended } = startProgram(process.execPath, [launcher, command, '--help']);
    const { code, stdout, stderr } = await ended;
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).toContain('--data-dir');
  });

  it('passes the exit code of the service on', async () => {
    const { ended } = startProgram(process.execPath, [launcher, 'serve', '--port', 'x']);
    expect((await ended).code).toBe(2);
  });

  it.skipIf(process.platform === 'win32')(
    'starts Electron on the application where its binary is, and passes its end on',
    async () => {
      const electron = path.join(dataDir, 'electron');
      await writeFile(electron, '#!/bin/sh\necho "$@"\nexit 3\n', { mode: 0o755 });
      // The fake needs neither; the launcher looks before it starts the real one.
      const env = { ...process.env, ELECTRON_OVERRIDE_DIST_PATH: dataDir, DISPLAY: ':0' };
      const args = ['start', '--no-sandbox', '--one'];
      const { ended } = startProgram(process.execPath, [launcher, ...args], env);
      expect(await ended).toMatchObject({ code: 3, stdout: `${root} --no-sandbox --one\n` });
    },
  );

  it.each([
    ["Electron's binary is not to be had", { DISPLAY: ':0' }, 'ELECTRON_SKIP_BINARY_DOWNLOAD'],
    ...(process.platform === 'linux'
      ? ([['there is no display', { DISPLAY: '', WAYLAND_DISPLAY: '' }, 'no display']] as const)
      : []),
  ] as const)(
    'starts the service and says where its page is where %s',
    async (_what, more, reason) => {
      const env: NodeJS.ProcessEnv = {
        ...process.env,
        ELECTRON_SKIP_BINARY_DOWNLOAD: '1',
        ...more,
      };
      delete env.ELECTRON_OVERRIDE_DIST_PATH;
      const running = startProgram(process.execPath, [launcher, 'start', ...serveArgs()], env);
      expect(await running.firstLine).toMatch(
        /^Enlarger runs at http:\/\/127\.0\.0\.1:\d+\..*#token=/,
      );
      running.child.kill('SIGTERM');
      const { code, stderr } = await running.ended;
      expect(code).toBe(0);
      const sentence = stderr.split('\n')[0];
      expect(sentence).toMatch(/\. Enlarger starts without its window\.$/);
      if (process.getuid?.() !== 0) expect(sentence).toContain(reason);
    },
  );

  it('puts photos into the queue of the page where there is no window', async () => {
    const photo = path.join(dataDir, 'Köln größer 1.jpg');
    await writeSmallJpeg(photo);
    const env = { ...process.env, ELECTRON_SKIP_BINARY_DOWNLOAD: '1', DISPLAY: '' };
    const args = [launcher, 'start', ...serveArgs(), '--hidden', photo];
    const running = startProgram(process.execPath, args, env);
    const [, url, token] = /^Enlarger runs at (\S+)\. .*#token=(\S+)$/.exec(
      await running.firstLine,
    ) as unknown as [string, string, string];
    const exchange = async () => {
      const response = await fetch(`${url}/api/session`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ token }),
      });
      return response.json() as Promise<SessionKey>;
    };
    const { key, files } = await exchange();
    expect(files).toMatchObject([{ path: photo, name: 'Köln größer 1.jpg', inFolder: '' }]);
    expect((await createClient({ url, key }).settings()).grantedFolders).toEqual([dataDir]);
    // The link is for one visit, and so are its photos.
    expect(await exchange()).not.toHaveProperty('files');
    running.child.kill('SIGTERM');
    expect((await running.ended).code).toBe(0);
  });
});

/** Lists the command lines that name the folder. Only Linux shows them, so the list is empty elsewhere. */
async function processesOf(folder: string): Promise<string[]> {
  if (!existsSync('/proc/self/cmdline')) return [];
  const ids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const lines = ids.map((id) => readFile(`/proc/${id}/cmdline`, 'utf8').catch(() => ''));
  return (await Promise.all(lines)).filter((line) => line.includes(folder));
}
