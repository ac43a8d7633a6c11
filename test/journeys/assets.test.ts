/** What the built page makes a browser load. */
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { beforeAll, expect, it } from 'vitest';
import { root, startProgram } from '../support/program.ts';

const folder = path.join(root, 'out/renderer');

// Any of our programs builds first what is missing or old.
beforeAll(async () => {
  const launcher = path.join(root, 'electron/launch.mjs');
  const { code } = await startProgram(process.execPath, [launcher, 'cli', '--help']).ended;
  expect(code).toBe(0);
});

it('keeps its JavaScript under 250 KB gzipped without the deep-zoom viewer', async () => {
  const scripts = (await readdir(path.join(folder, 'assets'))).filter((name) =>
    name.endsWith('.js'),
  );
  const own = scripts.filter((name) => !name.startsWith('deep-zoom'));
  expect(scripts.length - own.length, 'the viewer is a file of its own').toBe(1);
  const sizes = await Promise.all(
    own.map(async (name) => gzipSync(await readFile(path.join(folder, 'assets', name))).length),
  );
  const total = sizes.reduce((sum, size) => sum + size, 0);
  expect(total).toBeGreaterThan(10_000);
  expect(total).toBeLessThan(250_000);
});

it('loads the viewer only when it is needed, and nothing from elsewhere', async () => {
  const html = await readFile(path.join(folder, 'index.html'), 'utf8');
  expect(html).not.toContain('deep-zoom');
  expect(html).not.toMatch(/https?:\/\//);
});
