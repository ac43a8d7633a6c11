/** The command line beside strangers and in places where nothing can be written, and a name that is rebound. */
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { promisify } from 'node:util';
import { root } from '../support/program.ts';
import { smallPicture } from './pictures.ts';
import { hangMs } from './service-cost.ts';
import { attempt, expectThat, type Row } from './table.ts';

const cli = path.join(root, 'electron/cli.ts');

/** Its exit code, null for one that hung, and what it printed. */
async function runCommand(args: readonly string[]) {
  try {
    const options = { timeout: hangMs, killSignal: 'SIGKILL' as const };
    const { stdout, stderr } = await promisify(execFile)(process.execPath, [cli, ...args], options);
    return { code: 0, printed: stdout + stderr };
  } catch (thrown) {
    const { code, stdout, stderr } = thrown as { code?: number; stdout: string; stderr: string };
    return { code: code ?? null, printed: stdout + stderr };
  }
}

async function photoIn(folder: string): Promise<string> {
  const file = path.join(folder, 'photo.png');
  mkdirSync(folder, { recursive: true });
  writeFileSync(file, Buffer.from((await smallPicture(1)).split(',')[1] ?? '', 'base64'));
  return file;
}

/** A program that got the port which a dead service had written down. */
export async function meetStranger(home: string): Promise<Row> {
  const row: Row = {
    attack: 'a stranger on the port of the data folder',
    outcome: 'it hears no key; the photo is enlarged',
    attempts: 0,
    failures: [],
  };
  const received: string[] = [];
  const stranger = createServer((request, response) => {
    received.push(JSON.stringify(request.headers));
    response.setHeader('x-enlarger-proof', 'a'.repeat(64));
    response.end(JSON.stringify({ status: 'ok', version: '1.0.0' }));
  }).listen(0, '127.0.0.1');
  await once(stranger, 'listening');
  const url = `http://127.0.0.1:${(stranger.address() as AddressInfo).port}`;
  const dataDir = path.join(home, 'data');
  const photo = await photoIn(path.join(home, 'photos'));
  for (let i = 0; i < 3; i += 1)
    await attempt(row, `command ${i}`, async () => {
      mkdirSync(dataDir, { recursive: true });
      if (i === 0) writeFileSync(path.join(dataDir, 'cli.key'), 'the key', { mode: 0o600 });
      const named = { url, version: '1.0.0', pid: process.pid };
      writeFileSync(path.join(dataDir, 'service.json'), JSON.stringify(named));
      const { code, printed } = await runCommand(['upscale', photo, '--data-dir', dataDir]);
      expectThat(code === 0, `it ended with ${String(code)}: ${printed}`);
      expectThat(!received.some((text) => /authorization/i.test(text)), 'it heard a key');
    });
  stranger.close();
  return row;
}

export async function commandOutside(home: string): Promise<Row> {
  const row: Row = {
    attack: 'folders that cannot be made and photos that are not here, on the command line',
    outcome: 'a sentence and exit code 1 or 2',
    attempts: 0,
    failures: [],
  };
  const photo = await photoIn(path.join(home, 'photos'));
  const dataDir = ['--data-dir', path.join(home, 'data')];
  const bad = [
    [photo, '--out', '/proc/enlarger/a'],
    [photo, '--out', '/proc/self/fd/a/b'],
    [photo, '--out', '/sys/a'],
    [photo, '--out', '/dev/null/a'],
    ['file://nas/share/a.png'],
    ['file://127.0.0.1/a.png'],
    ['/nowhere/a.png'],
  ];
  for (const args of bad)
    await attempt(row, args.join(' '), async () => {
      const { code, printed } = await runCommand(['upscale', ...args, ...dataDir]);
      expectThat(code === 1 || code === 2, `it ended with ${String(code)}`);
      const isSentence = printed.trim() !== '' && !/\n\s+at /.test(printed);
      expectThat(isSentence, `it printed ${printed.slice(0, 200)}`);
    });
  return row;
}

/** With a nameserver of its own, in a network of its own. */
export async function rebind(home: string): Promise<Row> {
  const row: Row = {
    attack: 'a name that leads elsewhere when it is checked and here a moment later',
    outcome: 'nothing of this machine is reached',
    attempts: 0,
    failures: [],
  };
  const script = path.join(root, 'test/support/sealed/rebinding.ts');
  const args = ['-rnm', process.execPath, script, home, '100'];
  let counts: { asked: number; reached: number };
  try {
    const { stdout } = await promisify(execFile)('unshare', args, { timeout: hangMs });
    counts = JSON.parse(stdout) as typeof counts;
  } catch (thrown) {
    row.figures = `left out: ${thrown instanceof Error ? (thrown.message.split('\n')[0] ?? '') : ''}`;
    return row;
  }
  await attempt(row, 'all', async () => {
    expectThat(await Promise.resolve(counts.reached === 0), `reached ${counts.reached} times`);
  });
  row.attempts = counts.asked;
  return row;
}
