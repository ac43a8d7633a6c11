/** The page's examples for other programs, run as they are copied from it. */
import { execFile, execFileSync } from 'node:child_process';
import { readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import sharp from 'sharp';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { exampleOf, type ExampleKind } from '../../renderer/state/connect/examples.ts';
import { startHeadless, type HeadlessService } from '../support/headless.ts';
import { writeSmallJpeg } from '../support/pictures.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const run = promisify(execFile);
let folder: string;
let service: HeadlessService;

beforeAll(async () => {
  folder = temporaryFolder();
  service = await startHeadless(path.join(folder, 'data'));
  await writeSmallJpeg(path.join(folder, 'photo.jpg'), 90, 60);
});
afterAll(async () => {
  await service.end('SIGTERM');
});
beforeEach(() => rm(path.join(folder, 'photo-2x.jpg'), { force: true }));

const has = (program: string): boolean => {
  try {
    execFileSync(program, ['--version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
};

async function write(kind: ExampleKind, name: string): Promise<string> {
  const file = path.join(folder, name);
  await writeFile(file, exampleOf(kind, { url: service.url, key: service.key }));
  return file;
}

async function expectEnlarged(): Promise<void> {
  const file = await readFile(path.join(folder, 'photo-2x.jpg'));
  const { width, height, format } = await sharp(file).metadata();
  expect({ width, height, format }).toEqual({ width: 180, height: 120, format: 'jpeg' });
}

test.skipIf(!has('curl'))('the curl example enlarges a photo (needs curl)', async () => {
  await run('sh', ['-eu', await write('curl', 'enlarge.sh')], { cwd: folder });
  await expectEnlarged();
});

test('the JavaScript example enlarges a photo', async () => {
  const script = await write('javascript', 'enlarge.mjs');
  const { stdout } = await run(process.execPath, [script], { cwd: folder });
  expect(stdout).toMatch(/FINISHED/);
  await expectEnlarged();
});

test.skipIf(!has('python3'))('the Python example enlarges a photo (needs Python 3)', async () => {
  await run('python3', [await write('python', 'enlarge.py')], { cwd: folder });
  await expectEnlarged();
});

test('an example says what the service said against it', async () => {
  const script = path.join(folder, 'refused.mjs');
  await writeFile(script, exampleOf('javascript', { url: service.url, key: 'YOUR_KEY' }));
  await expect(run(process.execPath, [script], { cwd: folder })).rejects.toThrow(
    'Invalid or missing API key',
  );
});
