/**
 * Each package as a person would use it, on the machine that packed it (ENLARGER_SMOKE names their folder). It is
 * driven over the debugging port of its page: the fuses of a package refuse what Playwright's Electron driver needs
 * (a debugger in the main process).
 */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { chromium, type Browser, type Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { closeByDebugger } from '../support/debugger.ts';
import { dragIn } from '../support/page-files.ts';
import { writeSmallJpeg } from '../support/pictures.ts';
import { root } from '../support/program.ts';
import { createClient } from '../support/service.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { packagesIn, type Installed } from './packages.ts';
import { ownProcesses, strangers } from './processes.ts';
import { patient } from '../support/machine-pace.ts';

const folder = process.env.ENLARGER_SMOKE;
const packages = folder === undefined ? [] : packagesIn(path.join(root, folder));

it.skipIf(folder === undefined)('has packages to try', () => {
  expect(packages.length).toBeGreaterThan(1);
});

describe.each(packages)('$name', ({ install }) => {
  let dir: string;
  let installed: Installed;
  let application: ChildProcess;
  let browser: Browser;
  let page: Page;

  beforeAll(async () => {
    installed = install();
    dir = temporaryFolder();
    for (const name of ['photo.jpg', 'dropped.jpg'])
      await writeSmallJpeg(path.join(dir, name), 96, 64);
    const data = `--data-dir=${path.join(dir, 'data')}`;
    const args = ['--remote-debugging-port=0', data, path.join(dir, 'photo.jpg')];
    const env = { ...process.env, ...installed.env };
    application = spawn(installed.program, args, { stdio: ['ignore', 'ignore', 'pipe'], env });
    let said = '';
    application.stderr?.on('data', (text: Buffer) => (said += text.toString()));
    const port = () => debuggingPort(said, dir);
    await expect.poll(port, { timeout: patient(120_000) }).toBeGreaterThan(0);
    browser = await chromium.connectOverCDP(`http://127.0.0.1:${port()}`);
    const [context] = browser.contexts();
    page = context?.pages()[0] ?? (await context!.waitForEvent('page'));
  }, 300_000);
  afterAll(() => {
    application.kill('SIGKILL');
    installed.remove?.();
  }, 120_000);

  it('shows its window with the photo that it was given', async () => {
    await page
      .getByText('photo.jpg')
      .first()
      .waitFor({ timeout: patient(60_000) });
  });

  it('takes a photo that is dropped on it, where that lies', async () => {
    await dragIn(page, [path.join(dir, 'dropped.jpg')]);
    await page
      .getByText('dropped.jpg')
      .first()
      .waitFor({ timeout: patient(60_000) });
  });

  it('enlarges, cuts out and saves both', async () => {
    const key = await page.evaluate<string>('enlarger.sessionKey()');
    const test = createClient(new URL(page.url()).origin, key);
    const imageUrl = pathToFileURL(path.join(dir, 'dropped.jpg')).href;
    const out = path.join(dir, 'dropped');
    const body = { saveTo: dir };
    const enlarged = await test.submit(imageUrl, { ...body, scale: 2 });
    await expect
      .poll(() => test.task(enlarged), { timeout: patient(240_000) })
      .toMatchObject({ status: 'FINISHED' });
    expect(existsSync(`${out}-2x.jpg`)).toBe(true);
    const response = await fetch(new URL('/api/remove-bg', page.url()), {
      method: 'POST',
      headers: { Authorization: `KEY ${key}`, 'Content-Type': 'application/json' },
      body: JSON.stringify({ imageUrl, ...body, maskOnly: true }),
    });
    const { taskId } = (await response.json()) as { taskId: string };
    await expect
      .poll(() => test.task(taskId), { timeout: patient(240_000) })
      .toMatchObject({ status: expect.stringMatching(/FINISHED|FAILED/) as string });
    // Whether there is a subject in a drawn test picture is the network's affair; that it answered is ours.
    const { error } = (await test.record(taskId)) as { error?: { code: string } };
    expect([undefined, 'NO_SUBJECT']).toContain(error?.code);
    expect(readdirSync(dir).length).toBeGreaterThan(3);
  }, 500_000);

  it('speaks with nobody but this machine', () => {
    const pids = ownProcesses().map(({ pid }) => pid);
    // The window, its helpers, and the engine.
    expect(pids.length).toBeGreaterThan(2);
    expect(strangers(pids)).toEqual([]);
  });

  it('ends, and leaves no process', async () => {
    const ended = once(application, 'exit');
    const address = new URL('/api/health', page.url());
    await closeByDebugger(browser);
    expect(await ended).toEqual([0, null]);
    await expect(fetch(address)).rejects.toThrow();
    expect(existsSync(path.join(dir, 'data/service.json'))).toBe(false);
    await expect.poll(() => ownProcesses(), { timeout: patient(30_000) }).toEqual([]);
  }, 120_000);
});

/**
 * Chromium says it on standard error and writes it into its user data folder once it listens: the portable program
 * starts the real one without that standard error. 0 until then.
 */
function debuggingPort(said: string, dir: string): number {
  const file = path.join(dir, 'data/window/DevToolsActivePort');
  const written = existsSync(file) ? readFileSync(file, 'utf8').split('\n', 1)[0] : undefined;
  return Number(/DevTools listening on ws:\/\/[^:]+:(\d+)/.exec(said)?.[1] ?? written ?? 0);
}
