import { spawnSync } from 'node:child_process';
import { cp, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { adaptLock, type Lock } from '../../electron/launch/adapt-lock.mjs';
import { root } from '../support/program.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

async function readLock(folder = ''): Promise<Lock> {
  return JSON.parse(await readFile(path.join(root, folder, 'package-lock.json'), 'utf8')) as Lock;
}

// `npm install --ignore-scripts` leaves what npm has written: run node electron/launch/adapt-lock.mjs.
test('the lock is as adapt-lock.mjs leaves it', async () => {
  const lock = await readLock();
  const adapted = structuredClone(lock);
  adaptLock(adapted);
  expect(lock).toEqual(adapted);
});

test('what npm writes into the lock is taken out by the script that npm install runs', async () => {
  const dir = temporaryFolder();
  const script = 'electron/launch/adapt-lock.mjs';
  await cp(path.join(root, script), path.join(dir, script), { recursive: true });
  const written: Lock = {
    packages: {
      '': { engines: { node: '>=24' } },
      'packages/one': { engines: { node: '>=20' } },
      'node_modules/one': { engines: { node: '>=99' }, hasInstallScript: true },
      'node_modules/onnxruntime-node': { hasInstallScript: true },
      'node_modules/better-sqlite3': { engines: { node: '>=22' } },
    },
  };
  const file = path.join(dir, 'package-lock.json');
  await writeFile(file, JSON.stringify(written));
  const { scripts } = JSON.parse(await readFile(path.join(root, 'package.json'), 'utf8')) as {
    scripts: { prepare: string };
  };
  expect(scripts.prepare).toContain(`node ${script}`);
  expect(spawnSync(process.execPath, [path.join(dir, script)]).status).toBe(0);
  expect(JSON.parse(await readFile(file, 'utf8'))).toEqual({
    packages: {
      '': { engines: { node: '>=24' } },
      'packages/one': { engines: { node: '>=20' } },
      'node_modules/one': { hasInstallScript: true },
      'node_modules/onnxruntime-node': {},
      'node_modules/better-sqlite3': { gypfile: false },
    },
  });
});

// npm ci warns of every package that asks for another Node, and the checkout brings the Node that they run on. What
// is left is the checkout's own range, which is true where there is no Node to bring (macOS).
test('the lock makes npm warn of an older Node once', async () => {
  const { packages } = await readLock();
  const asking = Object.entries(packages).filter(([, { engines }]) => engines !== undefined);
  expect(asking.map(([key]) => key).filter((key) => key.includes('node_modules/'))).toEqual([]);
  expect(asking.map(([key]) => key)).toContain('');
});

// npm 11 is told by allowScripts, npm 10 by the lock.
test('neither npm runs a script of better-sqlite3 or onnxruntime-node, without a setting in .npmrc', async () => {
  const { packages } = await readLock();
  expect(packages['node_modules/better-sqlite3']).toMatchObject({ gypfile: false });
  expect(packages['node_modules/onnxruntime-node']).not.toHaveProperty('hasInstallScript');
  // npm 11 warns of a setting that it does not know at every command.
  const settings = await readFile(path.join(root, '.npmrc'), 'utf8');
  const names = settings.split('\n').flatMap((line) => /^[^#=]+(?==)/.exec(line) ?? []);
  expect(names.toSorted()).toEqual(['omit-lockfile-registry-resolved', 'save-exact']);
});

test('the lock holds no download addresses', async () => {
  const { packages } = await readLock();
  const addresses = Object.values(packages).filter(({ resolved, link }) => resolved && !link);
  expect(addresses).toEqual([]);
});

// npm ci refuses a lock that lacks the packages of some system, on every system.
test.each(['', 'docs', 'packaging/intel-mac'])(
  'the lock of "%s" names the packages of all systems',
  async (folder) => {
    const { packages } = await readLock(folder);
    const known = new Set(Object.keys(packages).map((key) => key.split('node_modules/').at(-1)));
    const wanted = Object.values(packages).flatMap(({ optionalDependencies }) =>
      Object.keys(optionalDependencies ?? {}),
    );
    expect(wanted.length).toBeGreaterThan(folder === '' ? 10 : -1);
    expect(wanted.filter((name) => !known.has(name))).toEqual([]);
  },
);
