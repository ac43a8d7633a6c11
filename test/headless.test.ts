import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { readdir, readFile, stat } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { startHeadless } from './support/headless.ts';
import { sendRaw } from './support/sse.ts';
import { temporaryFolder } from './support/temporary-folder.ts';
import { headlessProgram } from './support/programs.ts';

/** Runs it to its end. */
async function run(...args: string[]) {
  const child = spawn(process.execPath, [headlessProgram, ...args]);
  const said = { stdout: '', stderr: '' };
  child.stdout.on('data', (chunk: Buffer) => (said.stdout += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (said.stderr += chunk.toString()));
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, ...said };
}

async function start(dataDir: string, args: string[] = []) {
  const service = await startHeadless(dataDir, args);
  onTestFinished(() => void service.process.kill('SIGKILL'));
  let stdout = '';
  service.process.stdout?.on('data', (chunk: Buffer) => (stdout += chunk.toString()));
  return { ...service, stdout: () => stdout };
}

describe('the service without a window', () => {
  it('says where it is in one line of standard output and nothing else there', async () => {
    const dataDir = temporaryFolder();
    const service = await start(dataDir);
    expect(service.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
    expect(service.pageUrl).toMatch(new RegExp(`^${service.url}/#token=.+`));
    expect(service.keyFile).toBe(path.join(dataDir, 'cli.key'));
    expect(service.pid).toBe(service.process.pid);
    expect((await fetch(`${service.url}/api/health`)).status).toBe(200);
    const announced = path.join(dataDir, 'service.json');
    expect((await stat(announced)).mode & 0o777).toBe(0o600);
    const { url, pid, version } = service;
    expect(JSON.parse(await readFile(announced, 'utf8'))).toEqual({ url, pid, version });
    expect(await service.end('SIGTERM')).toBe(0);
    expect(service.stdout()).toBe('');
    expect(existsSync(announced)).toBe(false);
    for (const line of service.stderr().trim().split('\n'))
      expect(JSON.parse(line)).toHaveProperty('level');
  });

  it('ends cleanly on SIGINT, also with a stream and a connection open', async () => {
    const service = await start(temporaryFolder());
    const stream = await fetch(`${service.url}/api/tasks/sse`, {
      headers: { Authorization: `KEY ${service.key}` },
    });
    const startedAt = Date.now();
    expect(await service.end('SIGINT')).toBe(0);
    expect(Date.now() - startedAt).toBeLessThan(15_000);
    await stream.text().catch(() => 'cut off');
  });

  it('does not wait for a slow caller when it is told twice', async () => {
    const service = await start(temporaryFolder());
    const { host } = new URL(service.url);
    const slow = sendRaw(
      service.url,
      `POST /api/uploads HTTP/1.1\r\nHost: ${host}\r\nAuthorization: KEY ${service.key}\r\n` +
        'Content-Type: image/jpeg\r\nContent-Length: 1000\r\n\r\nhalf',
    );
    await expect
      .poll(() => readdir(path.join(path.dirname(service.keyFile), 'uploads')))
      .toHaveLength(1);
    service.process.kill('SIGINT');
    await expect.poll(() => service.stderr()).toContain('Ending');
    const toldAgainAt = Date.now();
    expect(await service.end('SIGTERM')).toBe(0);
    // Told once, it would give the caller twice as long.
    expect(Date.now() - toldAgainAt).toBeLessThan(5000);
    await slow.closed();
  });

  it('refuses a data folder that another one uses, and lets it go when that one is killed', async () => {
    const dataDir = temporaryFolder();
    const first = await start(dataDir);
    const second = await run('--port', '0', '--data-dir', dataDir);
    expect(second.code).toBe(1);
    expect(second.stdout).toBe('');
    expect(second.stderr).toMatch(/^Enlarger cannot start: The data folder .* in use .*\n$/);
    expect(second.stderr).toContain(first.url);
    await first.end('SIGKILL');
    const third = await start(dataDir);
    expect(third.key).toBe(first.key);
    await third.end('SIGTERM');
  });

  it('refuses a port that was asked for and is taken', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    onTestFinished(() => void other.close());
    const { port } = other.address() as AddressInfo;
    const { code, stderr } = await run('--port', String(port), '--data-dir', temporaryFolder());
    expect([code, stderr]).toEqual([
      1,
      `Enlarger cannot start: Port ${port} is taken by another program. Name another one, or 0 for any.\n`,
    ]);
  });

  it('refuses arguments that it does not know, in one sentence', async () => {
    for (const args of [
      ['--prot', '1'],
      ['--port', 'x'],
      ['--port', '70000'],
      ['more'],
      ['--data-dir='],
    ]) {
      const { code, stdout, stderr } = await run(...args);
      expect([code, stdout]).toEqual([2, '']);
      expect(stderr).toMatch(/^Enlarger cannot start: .+\n$/);
    }
  });
});
