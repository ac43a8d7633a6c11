/** The documentation's examples, run as they stand there. */
import { execFile } from 'node:child_process';
import { copyFile, readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { requestErrorStatus } from '../../packages/contract/src/errors.ts';
import { Settings } from '../../packages/contract/src/settings/settings.ts';
import { retryAfterSeconds } from '../../packages/http/src/errors.ts';
import { patient } from '../support/machine-pace.ts';
import { startHeadless, type HeadlessService } from '../support/headless.ts';
import { cliProgram } from '../support/programs.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const run = promisify(execFile);
let folder: string;
let service: HeadlessService;

beforeAll(async () => {
  folder = temporaryFolder();
  service = await startHeadless(path.join(folder, 'data'));
  const noise = { type: 'gaussian' as const, mean: 128, sigma: 20 };
  await sharp({ create: { width: 90, height: 60, channels: 3, background: '#888', noise } })
    .jpeg()
    .toFile(path.join(folder, 'photo.jpg'));
});
afterAll(async () => {
  await service.end('SIGTERM');
});

const readPage = (page: string) =>
  readFile(path.resolve(import.meta.dirname, '../../docs', page), 'utf8');

async function example(name: string): Promise<string> {
  const page = await readPage('api.md');
  const code = new RegExp(`<!-- example: ${name} -->\n\`\`\`\\w+\n([\\s\\S]*?)\`\`\``).exec(page);
  if (code?.[1] === undefined) throw new Error(`docs/api.md has no example named ${name}.`);
  return code[1];
}

async function expectEnlarged(file: string): Promise<void> {
  const { width, height, format } = await sharp(await readFile(file)).metadata();
  expect({ width, height, format }).toEqual({ width: 180, height: 120, format: 'jpeg' });
}

test('the curl example enlarges a photo', async () => {
  await run('sh', ['-euc', await example('curl')], {
    cwd: folder,
    env: { ...process.env, URL: service.url, KEY_FILE: service.keyFile },
  });
  await expectEnlarged(path.join(folder, 'photo-2x.jpg'));
});

test('the Node example enlarges a photo and tells its progress', async () => {
  const script = path.join(folder, 'enlarge.mjs');
  const code = await example('node');
  await writeFile(script, code);
  const target = path.join(folder, 'by-node.jpg');
  const { stdout } = await run(process.execPath, [
    script,
    service.url,
    service.keyFile,
    path.join(folder, 'photo.jpg'),
    target,
  ]);
  expect(stdout).toMatch(/PROCESSING \d+\n[\s\S]*FINISHED/);
  await expectEnlarged(target);
});

test(
  'each line of docs/limits.md answers what stands behind it',
  { timeout: patient(60_000) },
  async () => {
    const page = await readPage('limits.md');
    const blocks = [...page.matchAll(/```sh\n([\s\S]*?)```/g)].map(([, block = '']) => block);
    const [start = '', ...others] = blocks;
    const env = { ...process.env, URL: service.url, KEY_FILE: service.keyFile };
    const { stdout: image } = await run('sh', ['-euc', `${start}\necho "$IMAGE"`], {
      cwd: folder,
      env,
    });
    const lines = others.flatMap((block) => block.trim().split('\n'));
    expect(lines.length).toBeGreaterThan(20);
    const taskOf = (response: string) => /"taskId":"([^"]+)"/.exec(response)?.[1];
    let former: string | undefined;
    for (const line of lines) {
      const [, command = '', status, expected = ''] = /^(.*\S) +# (\d{3})(.*)$/.exec(line) ?? [];
      const script = `${start.split('\n', 1)[0]}\n${command} -w '\\n%{http_code}'`;
      const { stdout } = await run('sh', ['-euc', script], {
        cwd: folder,
        env: { ...env, IMAGE: image.trim() },
      });
      const response = stdout.split('\n').slice(0, -1).join('\n');
      expect([line, stdout.split('\n').at(-1)]).toEqual([line, status]);
      for (const [word] of expected.matchAll(/\b(?:[A-Z]{4,}[A-Z_]*|max\w+)\b|Retry-After: \d+/g))
        expect([line, response.toLowerCase()]).toEqual([
          line,
          expect.stringContaining(word.toLowerCase()) as string,
        ]);
      if (expected.includes('the same taskId'))
        expect([line, taskOf(response)]).toEqual([line, former]);
      former = taskOf(response);
    }
  },
);

test('docs/limits.md has the seconds, statuses and settings of the code', async () => {
  const page = await readPage('limits.md');
  for (const [code, seconds] of Object.entries(retryAfterSeconds))
    expect(page).toContain(
      `| ${requestErrorStatus[code as keyof typeof requestErrorStatus]} | ${code} | ${seconds} |`,
    );
  const settings = Object.keys(Settings.properties).filter((name) => /^max|^retention/.test(name));
  expect(settings.length).toBeGreaterThan(5);
  for (const name of settings) expect(page).toContain(`\`${name}\``);
});

test('docs/privacy.md names all that a batch leaves in the data folder', async () => {
  const names = ['one.jpg', 'two.jpg'];
  for (const name of names) await copyFile(path.join(folder, 'photo.jpg'), path.join(folder, name));
  const dataDir = path.join(folder, 'data');
  const places = ['--data-dir', dataDir, '--out', path.join(folder, 'results')];
  await run(process.execPath, [cliProgram, 'upscale', ...names, ...places], { cwd: folder });
  // SQLite's own parts of a database are named after it.
  const left = (await readdir(dataDir)).map((name) => name.replace(/-(wal|shm|journal)$/, ''));
  expect(left).toEqual(expect.arrayContaining(['batches', 'commands', 'results', 'service.lock']));
  const page = await readPage('privacy.md');
  expect(left.filter((name) => !page.includes(`\`${name}\``))).toEqual([]);
});
