/** Several programs that start at once in a checkout that is not built yet. */
import { appendFile, cp, mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, it } from 'vitest';
import { withLock } from '../../electron/launch/lock.mjs';
import { root, startProgram } from '../support/program.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const soon = { timeout: 30_000 };

/** Builds, slowly, a client that says its first word. It notes each time that it runs. */
const buildTool = `
  import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs';
  const out = process.argv[process.argv.indexOf('--outDir') + 1];
  appendFileSync('builds', 'x');
  setTimeout(() => {
    mkdirSync(out + '/main', { recursive: true });
    writeFileSync(out + '/main/cli.js', 'console.log(process.argv[2])');
  }, 500);
`;

async function unbuiltCheckout(): Promise<string> {
  const folder = temporaryFolder();
  const tool = path.join(folder, 'node_modules/electron-vite/bin');
  await mkdir(tool, { recursive: true });
  await writeFile(path.join(tool, 'electron-vite.js'), buildTool);
  await writeFile(
    path.join(folder, 'package.json'),
    '{ "type": "module", "engines": { "node": ">=22.22.0" } }',
  );
  await writeFile(path.join(folder, 'electron.vite.config.ts'), '');
  for (const name of ['launch.mjs', 'launch'])
    await cp(path.join(root, 'electron', name), path.join(folder, 'electron', name), {
      recursive: true,
    });
  const sqlite = 'node_modules/better-sqlite3';
  await symlink(path.join(root, sqlite), path.join(folder, sqlite), 'dir');
  return folder;
}

it('build once, and each starts what was built', async () => {
  const checkout = await unbuiltCheckout();
  const launch = () =>
    startProgram(process.execPath, [path.join(checkout, 'electron/launch.mjs'), 'hello']).ended;
  const together = async () => {
    const ends = await Promise.all([launch(), launch(), launch()]);
    expect(ends.map(({ code, stdout }) => [code, stdout])).toEqual(ends.map(() => [0, 'hello\n']));
    return readFile(path.join(checkout, 'builds'), 'utf8');
  };
  expect(await together()).toBe('x');
  expect(await together()).toBe('x');
  await appendFile(path.join(checkout, 'electron.vite.config.ts'), '\n');
  expect(await together()).toBe('xx');
  await mkdir(path.join(checkout, 'packages/one/src'), { recursive: true });
  expect(await together()).toBe('xxx');
  await mkdir(path.join(checkout, 'packages/one/dist'));
  await writeFile(path.join(checkout, 'packages/one/one-1.0.0.tgz'), '');
  expect(await together()).toBe('xxx');
  await writeFile(path.join(checkout, 'packages/one/src/index.ts'), '');
  expect(await together()).toBe('xxxx');
  expect(await readFile(path.join(checkout, 'out/manual/enlarger.1'), 'utf8')).toBe('man\n');
});

it('say what they wait for', async () => {
  const checkout = await unbuiltCheckout();
  const launcher = path.join(checkout, 'electron/launch.mjs');
  let started: ReturnType<typeof startProgram> | undefined;
  await withLock(checkout, '.enlarger-build', async () => {
    started = startProgram(process.execPath, [launcher, 'hello']);
    const { said } = started;
    await expect.poll(() => said.stderr, soon).toContain('is building it; waiting');
    expect(said.stdout).toBe('');
  });
  expect(await started?.ended).toMatchObject({ code: 0, stdout: 'hello\n' });
});
