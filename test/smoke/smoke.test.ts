/**
 * A packed application as a person would use it, on the machine that packed it (ENLARGER_SMOKE names the folder
 * of packages). It is driven over the debugging port of its page: the fuses of a package refuse what Playwright's
 * Electron driver needs (a debugger in the main process).
 */
import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, globSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { pathToFileURL } from 'node:url';
import { chromium, type Browser, type Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { writeSmallJpeg } from '../support/pictures.ts';
import { root } from '../support/program.ts';
import { createClient } from '../support/service.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const folder = process.env.ENLARGER_SMOKE;
const programs = {
  linux: 'linux*-unpacked/enlarger-window',
  win32: 'win*-unpacked/Enlarger.exe',
  darwin: 'mac*/Enlarger.app/Contents/MacOS/Enlarger',
} as Partial<Record<NodeJS.Platform, string>>;

function findProgram(): string {
  const [found] = globSync(programs[process.platform] ?? '', {
    cwd: path.join(root, folder ?? ''),
  });
  if (found === undefined) throw new Error(`Expected a packed application in ${folder}.`);
  return path.join(root, folder ?? '', found);
}

describe.skipIf(folder === undefined)('the packed application', () => {
  let dir: string;
  let application: ChildProcess;
  let browser: Browser;
  let page: Page;

  beforeAll(async () => {
    dir = temporaryFolder();
    await writeSmallJpeg(path.join(dir, 'photo.jpg'), 96, 64);
    const data = `--data-dir=${path.join(dir, 'data')}`;
    const args = ['--remote-debugging-port=0', data, path.join(dir, 'photo.jpg')];
    application = spawn(findProgram(), args, { stdio: ['ignore', 'ignore', 'pipe'] });
    browser = await chromium.connectOverCDP(await debuggingAddress(application));
    const [context] = browser.contexts();
    page = context?.pages()[0] ?? (await context!.waitForEvent('page'));
  }, 120_000);
  afterAll(() => void application.kill('SIGKILL'));

  it('shows its window with the photo that it was given', async () => {
    await page.getByText('photo.jpg').first().waitFor({ timeout: 60_000 });
  });

  it('enlarges it, cuts it out and saves both', async () => {
    const key = await page.evaluate<string>('enlarger.sessionKey()');
    const test = createClient(new URL(page.url()).origin, key);
    const imageUrl = pathToFileURL(path.join(dir, 'photo.jpg')).href;
    const out = path.join(dir, 'photo');
    const body = { saveTo: dir };
    const enlarged = await test.submit(imageUrl, { ...body, scale: 2 });
    await expect
      .poll(() => test.task(enlarged), { timeout: 240_000 })
      .toMatchObject({ status: 'FINISHED' });
    expect(existsSync(`${out}-2x.jpg`)).toBe(true);
    const answer = await fetch(new URL('/api/remove-bg', page.url()), {
      method: 'POST',
      headers: { Authorization: `KEY ${key}`, 'Content-Type': 'application/json' },
      body: JSON.stringify({ imageUrl, ...body, maskOnly: true }),
    });
    const { taskId } = (await answer.json()) as { taskId: string };
    await expect
      .poll(() => test.task(taskId), { timeout: 240_000 })
      .toMatchObject({ status: expect.stringMatching(/FINISHED|FAILED/) as string });
    // Whether there is a subject in a drawn test picture is the network's affair; that it answered is ours.
    const { error } = (await test.record(taskId)) as { error?: { code: string } };
    expect([undefined, 'NO_SUBJECT']).toContain(error?.code);
    expect(readdirSync(dir).length).toBeGreaterThan(2);
  }, 500_000);

  it.skipIf(process.platform !== 'linux')('speaks with nobody but this machine', () => {
    const { stdout } = spawnSync('ss', ['-Htunp'], { encoding: 'utf8' });
    const own = stdout.split('\n').filter((line) => /enlarger|"node"/i.test(line));
    const outside = own.filter(
      (line) => !/(127\.0\.0\.1|\[::1\]|\[::ffff:127\.0\.0\.1\]):\d+\s+users/.test(line),
    );
    expect(outside).toEqual([]);
  });

  it('ends, and leaves no process', async () => {
    const ended = once(application, 'exit');
    const address = new URL('/api/health', page.url());
    const session = await browser.newBrowserCDPSession();
    await session.send('Browser.close');
    expect(await ended).toEqual([0, null]);
    await expect(fetch(address)).rejects.toThrow();
    expect(existsSync(path.join(dir, 'data/service.json'))).toBe(false);
  }, 60_000);
});

/** What Chromium says on standard error once it listens. */
async function debuggingAddress(child: ChildProcess): Promise<string> {
  for await (const line of createInterface({ input: child.stderr! })) {
    const address = /DevTools listening on (ws:\S+)/.exec(line)?.[1];
    if (address !== undefined) return address;
  }
  throw new Error('The application ended before its window opened.');
}
