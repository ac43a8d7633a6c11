/** What the smoke test looks with, where no package is. */
import { spawn } from 'node:child_process';
import { copyFileSync, mkdirSync, realpathSync, writeFileSync } from 'node:fs';
import { once } from 'node:events';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { closeBrowser, chromiumPath, launchBrowser } from '../support/browser.ts';
import { dragIn } from '../support/page-files.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { packagesIn } from './packages.ts';
import { ownProcesses, strangersIn } from './processes.ts';

describe('the packages that are tried', () => {
  it('are all kinds of a system, each once', () => {
    const folder = temporaryFolder();
    for (const name of [
      'linux-unpacked/enlarger-window',
      'Enlarger-1.0.0-linux-x64.tar.gz',
      'Enlarger-1.0.0-linux-x64-small.tar.gz',
      'Enlarger-1.0.0-linux-x86_64.AppImage',
      'Enlarger-1.0.0-linux-amd64.deb',
      'Enlarger-1.0.0-linux-x86_64.rpm',
      'win-unpacked/Enlarger.exe',
      'Enlarger-1.0.0-win-x64.exe',
      'Enlarger-1.0.0-win-x64-portable.exe',
      'Enlarger-1.0.0-win-x64-small.exe',
      'mac-arm64/Enlarger.app/Contents/MacOS/Enlarger',
      'Enlarger-1.0.0-mac-arm64.zip',
      'Enlarger-1.0.0-mac-arm64.dmg',
    ]) {
      mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
      writeFileSync(path.join(folder, name), '');
    }
    expect(packagesIn(folder, 'linux')).toHaveLength(6);
    expect(packagesIn(folder, 'win32').map(({ name }) => path.basename(name))).toEqual([
      'Enlarger.exe',
      'Enlarger-1.0.0-win-x64-portable.exe',
      'Enlarger-1.0.0-win-x64-small.exe',
      'Enlarger-1.0.0-win-x64.exe',
    ]);
    expect(packagesIn(folder, 'darwin')).toHaveLength(3);
    expect(packagesIn(temporaryFolder(), 'linux')).toEqual([]);
  });
});

describe('who speaks with another machine', () => {
  it('is found in what ss, lsof and netstat say, and nobody else', () => {
    const linux = [
      'tcp ESTAB 0 0 127.0.0.1:45678 127.0.0.1:8617 users:(("node",pid=7,fd=20))',
      'udp ESTAB 0 0 10.0.0.2:4444 192.0.2.1:53 users:(("node",pid=7,fd=21))',
      'tcp ESTAB 0 0 10.0.0.2:4444 192.0.2.1:443 users:(("other",pid=8,fd=21))',
    ];
    expect(strangersIn('linux', linux, [7])).toEqual([linux[1]]);
    const mac = [
      'Enlarger 7 ada 20u IPv4 0x1 0t0 TCP 127.0.0.1:8617 (LISTEN)',
      'Enlarger 7 ada 21u IPv4 0x1 0t0 TCP 127.0.0.1:8617->127.0.0.1:5001 (ESTABLISHED)',
      'node 7 ada 22u IPv6 0x1 0t0 TCP [fe80::1]:5002->[2001:db8::1]:443 (SYN_SENT)',
    ];
    expect(strangersIn('darwin', mac, [7])).toEqual([mac[2]]);
    const windows = [
      '  TCP    127.0.0.1:8617         0.0.0.0:0              LISTENING       7',
      '  UDP    0.0.0.0:5353           *:*                                    7',
      '  TCP    10.0.0.2:5003          192.0.2.1:443          ESTABLISHED     7',
    ];
    expect(strangersIn('win32', windows, [7])).toEqual([windows[2]]);
  });
});

it.skipIf(chromiumPath === undefined)(
  'drags files in from the disk, as a person does (needs Chromium)',
  async () => {
    const browser = await launchBrowser();
    onTestFinished(() => closeBrowser(browser));
    const page = await browser.newPage();
    await page.setContent('<body style="height: 100vh"></body>');
    await page.evaluate(`{
      addEventListener('dragover', (event) => event.preventDefault());
      addEventListener('drop', async (event) => {
        event.preventDefault();
        document.title = await event.dataTransfer.files[0].text();
      });
    }`);
    const file = path.join(temporaryFolder(), 'dropped.txt');
    writeFileSync(file, 'what lies on the disk');
    await dragIn(page, [file]);
    await expect.poll(() => page.title()).toBe('what lies on the disk');
  },
);

it.runIf(process.platform === 'linux')('knows a packed Node by where it lies', async () => {
  const folder = realpathSync(temporaryFolder());
  const file = path.join(folder, 'resources/bin/node');
  mkdirSync(path.dirname(file), { recursive: true });
  copyFileSync(process.execPath, file);
  const child = spawn(file, ['-e', 'console.log(1); setInterval(() => undefined, 1000)']);
  onTestFinished(() => void child.kill('SIGKILL'));
  await once(child.stdout, 'data');
  expect(ownProcesses()).toContainEqual({ pid: child.pid, file });
  child.kill('SIGKILL');
  await once(child, 'exit');
  expect(ownProcesses()).not.toContainEqual({ pid: child.pid, file });
});
