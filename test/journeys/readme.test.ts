/** The documentation's examples, run as they stand there. */
import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startHeadless, type HeadlessService } from '../support/headless.ts';
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

async function example(name: string): Promise<string> {
  const page = await readFile(path.resolve(import.meta.dirname, '../../docs/api.md'), 'utf8');
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
