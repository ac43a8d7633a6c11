/** The ways in which the built application starts and ends, in a real Electron (npm run test:shell). */
import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Page } from 'playwright-core';
import { describe, expect, it, onTestFinished } from 'vitest';
import { parse } from 'yaml';
import { zh } from '../../electron/desktop/texts/zh-Hans.ts';
import { smallJpeg, writeSmallJpeg } from '../support/pictures.ts';
import { root } from '../support/program.ts';
import {
  clickMenu,
  connect,
  doubles,
  isVisible,
  noted,
  serviceFile,
  skipped,
  soon,
  theHarness,
  theWindow,
  title,
  worked,
} from './harness.ts';
import { killAll, openFolder, processesOf, Shell, spawnElectron, type Start } from './shell.ts';

const isRoot = process.getuid?.() === 0;
const launcher = [process.execPath, path.join(root, 'electron/launch.mjs'), 'start'] as const;

const german = { LANG: 'de_DE.UTF-8', LANGUAGE: 'de', LC_ALL: '' };
const menusOf = (shell: Shell) =>
  shell.inMain<string[]>('electron.Menu.getApplicationMenu().items.map(({ label }) => label)');
const languageOf = (page: Page) => page.evaluate<string>('document.documentElement.lang');

/** Expects that nothing is left of an application that ended. */
async function expectNothingLeft(dir: string): Promise<void> {
  await expect.poll(() => processesOf(dir), soon).toEqual([]);
  expect(existsSync(serviceFile(dir))).toBe(false);
}

function start(options: Partial<Start> = {}) {
  const dir = options.dir ?? openFolder();
  const shell = new Shell(theHarness(), { ...options, dir });
  onTestFinished(() => killAll(dir));
  return { dir, shell };
}

/** Waits until the page shows its controls. */
async function open(options: Partial<Start> = {}) {
  const { dir, shell } = start(options);
  const page = await shell.page();
  await page.getByRole('button').first().waitFor(soon);
  return { dir, shell, page };
}

describe.skipIf(skipped !== '')(`npm start in ${title}`, () => {
  it('opens the window with the photos that are named, and ends on SIGTERM', async () => {
    const dir = openFolder();
    await writeSmallJpeg(path.join(dir, 'photos/Köln größer.jpg'));
    const { shell, page } = await open({ dir, command: launcher, args: ['Köln größer.jpg'] });
    await page.getByText('Köln größer.jpg').first().waitFor(soon);
    await expect.poll(() => isVisible(shell), soon).toBe(true);
    await shell.detach();
    shell.child.kill('SIGTERM');
    expect(await shell.ended).toEqual([0, null]);
    await expectNothingLeft(dir);
  });

  it.runIf(isRoot)('opens it for root with --no-sandbox, where nothing has a sandbox', async () => {
    const { shell, page } = await open({
      command: launcher,
      args: ['--no-sandbox'],
      asRoot: true,
    });
    expect(await page.evaluate('document.body.innerText.length')).toBeGreaterThan(50);
    expect(shell.stderr).not.toMatch(/Network service crashed|GPU process isn't usable/);
  });

  it.each([
    ['a display', { env: { DISPLAY: '', WAYLAND_DISPLAY: '' } }, 'There is no display'],
    ...(isRoot
      ? ([
          ['another user than root', { asRoot: true }, 'Electron opens no window for root'],
        ] as const)
      : []),
  ] as const)('starts the service with its page without %s', async (_what, options, reason) => {
    const dir = openFolder();
    const child = spawnElectron(theHarness(), { dir, command: launcher, ...options });
    onTestFinished(() => killAll(dir));
    const printed = { stdout: '', stderr: '' };
    for (const name of ['stdout', 'stderr'] as const)
      child[name]?.on('data', (text: Buffer) => (printed[name] += text.toString()));
    await expect.poll(() => printed.stdout, soon).toMatch(/Enlarger runs at http:.*#token=/);
    expect(printed.stderr).toContain(reason);
    child.kill('SIGTERM');
    expect(await once(child, 'exit')).toEqual([0, null]);
    await expectNothingLeft(dir);
  });
});

describe.skipIf(skipped !== '')(`starts and ends in ${title}`, () => {
  it('speaks German where the system does, and ends with its window', async () => {
    const { dir, shell, page } = await open({ env: german });
    expect(await menusOf(shell)).toEqual(
      expect.arrayContaining(['Datei', 'Bearbeiten', 'Darstellung']),
    );
    expect(await languageOf(page)).toMatch(/^de/);
    await shell.inMain(`void setTimeout(() => ${theWindow}.close(), 500)`);
    await shell.detach();
    expect(await shell.ended).toEqual([0, null]);
    await expectNothingLeft(dir);
  });

  it("speaks Chinese in a package, which keeps that part of Chromium's languages", async () => {
    const dir = openFolder();
    const packaged = copyPackaged(path.join(dir, 'program'));
    const chinese = { LANG: 'zh_CN.UTF-8', LANGUAGE: 'zh_CN', LC_ALL: '' };
    const { shell, page } = await open({ dir, ...packaged, env: { ...packaged.env, ...chinese } });
    expect(await menusOf(shell)).toEqual(expect.arrayContaining([zh.file, zh.edit]));
    expect(await languageOf(page)).toBe('zh-Hans');
  });

  it.runIf(process.platform === 'linux')(
    'lets the machine sleep at the end of the queue where that was chosen',
    async () => {
      const dir = openFolder();
      const asked = path.join(dir, 'asked');
      const programs = path.join(dir, 'programs');
      mkdirSync(programs);
      const script = `#!/bin/sh\necho "$*" >'${asked}'\n`;
      writeFileSync(path.join(programs, 'systemctl'), script, { mode: 0o755 });
      const { shell, page } = await open({
        dir,
        env: { PATH: `${programs}:${process.env.PATH ?? ''}` },
      });
      await shell.inMain(doubles);
      // Now, where it asks.
      await shell.inMain('globalThis.response = 0');
      const client = await connect(page);
      await client.call('POST', '/api/queue/pause');
      const picture = (await smallJpeg(96, 64)).toString('base64');
      await client.submit(`data:image/jpeg;base64,${picture}`, { scale: 2 });
      await shell.inMain(clickMenu('When the Queue Is Done', 'Sleep'));
      await client.call('POST', '/api/queue/resume');
      const read = () => existsSync(asked) && readFileSync(asked, 'utf8');
      await expect.poll(read, worked).toBe('suspend\n');
      expect(await noted(shell)).toContainEqual([
        'message',
        'This computer goes to sleep in 30 seconds.',
      ]);
      expect(shell.child.exitCode).toBeNull();
    },
  );

  it('goes on after a logout, which ends it without asking', async () => {
    const { dir, shell, page } = await open();
    const client = await connect(page);
    const picture = (await smallJpeg(640, 480)).toString('base64');
    const taskId = await client.submit(`data:image/jpeg;base64,${picture}`, { scale: 2 });
    // Windows asks the windows, then ends the process.
    const isRefused = await shell.inMain<boolean>(`(() => {
      let isRefused = false;
      ${theWindow}.emit('query-session-end', { reasons: ['logoff'], preventDefault: () => (isRefused = true) });
      return isRefused;
    })()`);
    expect(isRefused).toBe(false);
    await shell.kill();
    await expect.poll(() => processesOf(dir), soon).toEqual([]);
    const next = await open({ dir });
    const again = await connect(next.page);
    await expect.poll(() => again.task(taskId), worked).toMatchObject({ status: 'FINISHED' });
  });

  it('says once in its page that closing hides it, where nothing outside shows it', async () => {
    const dir = openFolder();
    const picture = (await smallJpeg(96, 64)).toString('base64');
    /** Opens the window over a queue that is paused, with one more photo in it. */
    const openWithWork = async () => {
      const opened = await open({ dir, env: { DBUS_SESSION_BUS_ADDRESS: '' } });
      await opened.shell.inMain(doubles);
      const client = await connect(opened.page);
      await client.call('POST', '/api/queue/pause');
      await client.submit(`data:image/jpeg;base64,${picture}`, { scale: 2 });
      const isWorkKnown = async () =>
        (await noted(opened.shell)).some(([what, count]) => what === 'badge' && Number(count) > 0);
      await expect.poll(isWorkKnown, soon).toBe(true);
      return opened;
    };
    const close = (shell: Shell) => shell.inMain(`void ${theWindow}.close()`);
    const { shell, page } = await openWithWork();
    await close(shell);
    await page.getByText('Close it once more to hide it').waitFor(soon);
    expect(await isVisible(shell)).toBe(true);
    await close(shell);
    await expect.poll(() => isVisible(shell), soon).toBe(false);
    await shell.kill();
    await expect.poll(() => processesOf(dir), soon).toEqual([]);
    const { shell: next } = await openWithWork();
    await close(next);
    await expect.poll(() => isVisible(next), soon).toBe(false);
  });

  it('keeps everything in the folder beside the portable program', async () => {
    const dir = openFolder();
    const program = path.join(dir, 'program');
    const { shell } = await open({ dir, ...copyPackaged(program), hasDataDir: false });
    const data = path.join(program, 'Enlarger data');
    expect(existsSync(path.join(data, 'enlarger.db'))).toBe(true);
    expect(await shell.inMain('electron.app.getPath("userData")')).toBe(path.join(data, 'window'));
    expect(existsSync(path.join(dir, 'home/data'))).toBe(false);
  });

  it('says in a window what to do where its data folder cannot be used', async () => {
    const dir = openFolder();
    writeFileSync(path.join(dir, 'data'), 'a file where the folder should be');
    const { shell } = start({ dir });
    await expect.poll(() => shell.stderr, soon).toMatch(/The data folder .* cannot be used/);
    if (hasXprop) await expect.poll(titlesOfWindows, soon).toContain('Error');
    // The window waits for the person.
    expect(shell.child.exitCode).toBeNull();
  });

  it('says in its page where a damaged database lies', async () => {
    const dir = openFolder();
    const data = path.join(dir, 'data');
    mkdirSync(data);
    writeFileSync(path.join(data, 'enlarger.db'), 'not a database '.repeat(1000));
    chmodSync(data, 0o777);
    chmodSync(path.join(data, 'enlarger.db'), 0o666);
    const { page } = await open({ dir });
    await page.getByText('The database was damaged and lies now in').first().waitFor(soon);
  });
});

const hasXprop = spawnSync('xprop', ['-version']).error === undefined;

/** The titles of all windows on the display. */
function titlesOfWindows(): string[] {
  const display = theHarness().display ?? process.env.DISPLAY ?? '';
  const xprop = (...args: string[]) =>
    spawnSync('xprop', ['-display', display, ...args], { encoding: 'utf8' }).stdout;
  const ids = xprop('-root', '_NET_CLIENT_LIST').match(/0x[0-9a-f]+/g) ?? [];
  return ids.flatMap((id) => /= "(.*)"/.exec(xprop('-id', id, '_NET_WM_NAME'))?.[1] ?? []);
}

/**
 * Copies Electron as a package has it, with the application and its parts in `resources`. Beside it lies the
 * folder that makes it portable.
 * @returns how it is started
 */
function copyPackaged(folder: string): Pick<Start, 'command' | 'env'> {
  const { binary, version } = theHarness().electron;
  const bridged = path.join(path.dirname(binary), 'dist');
  const isBridged = existsSync(bridged);
  cpSync(isBridged ? bridged : path.dirname(binary), folder, { recursive: true });
  removeLanguages(path.join(folder, 'locales'));
  const resources = path.join(folder, 'resources');
  const application = path.join(resources, 'app');
  mkdirSync(application);
  const modules = [path.join(root, 'out/main/main.js')];
  if (isBridged) modules.unshift(path.join(folder, 'bridge.mjs'));
  const imports = modules.map((file) => `await import('${pathToFileURL(file).href}');\n`);
  writeFileSync(path.join(application, 'main.mjs'), asPackaged + imports.join(''));
  const description = { name: 'enlarger', version, main: 'main.mjs' };
  writeFileSync(path.join(application, 'package.json'), JSON.stringify(description));
  for (const name of ['out', 'resources'])
    symlinkSync(path.join(root, name), path.join(application, name));
  symlinkSync(path.join(root, 'models'), path.join(resources, 'models'));
  mkdirSync(path.join(resources, 'bin'));
  symlinkSync(process.execPath, path.join(resources, 'bin/node'));
  const data = path.join(folder, 'Enlarger data');
  mkdirSync(data);
  chmodSync(data, 0o777);
  const env = {
    LD_PRELOAD: path.join(folder, 'napi10-on-node20.so'),
    NODE_OPTIONS: '--experimental-require-module --no-warnings',
  };
  return { command: [path.join(folder, 'electron')], ...(isBridged && { env }) };
}

/** Leaves those of Chromium's languages that electron-builder leaves. */
function removeLanguages(locales: string): void {
  const text = readFileSync(path.join(root, 'electron-builder.yml'), 'utf8');
  const { electronLanguages: kept } = parse(text) as { electronLanguages: string[] };
  for (const file of readdirSync(locales)) {
    const name = path.basename(file, '.pak');
    if (!kept.some((one) => name === one || name.startsWith(`${one}-`)))
      rmSync(path.join(locales, file));
  }
}

/** Electron takes a binary of any other name for packaged, and then heeds no NODE_OPTIONS. */
const asPackaged = `import { app } from 'electron';
Object.defineProperty(app, 'isPackaged', { value: true });
`;
