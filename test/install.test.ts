import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';

interface Lock {
  packages: Record<
    string,
    {
      gypfile?: boolean;
      hasInstallScript?: boolean;
      resolved?: string;
      link?: true;
      optionalDependencies?: Record<string, string>;
    }
  >;
}

async function readLock(folder = ''): Promise<Lock> {
  const file = path.resolve(import.meta.dirname, '..', folder, 'package-lock.json');
  return JSON.parse(await readFile(file, 'utf8')) as Lock;
}

// npm 10, which comes with Node 20, would compile what the package already carries, and fail where
// no compiler is. npm 11 is told by allowScripts. `npm install` drops the line: put it back.
test('the lock keeps npm 10 from compiling better-sqlite3', async () => {
  const { packages } = await readLock();
  expect(packages['node_modules/better-sqlite3']).toMatchObject({ gypfile: false });
});

// Its script fetches CUDA's provider and fails the installation where it cannot. npm 10 runs the scripts of packages
// that the lock marks, and npm 11 is told by allowScripts. A setting in .npmrc makes npm 11 warn at every command.
// `npm install` writes the mark again: take it out.
test("the lock keeps npm 10 from running onnxruntime-node's script, without a setting in .npmrc", async () => {
  const { packages } = await readLock();
  expect(packages['node_modules/onnxruntime-node']).not.toHaveProperty('hasInstallScript');
  const settings = await readFile(path.resolve(import.meta.dirname, '../.npmrc'), 'utf8');
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
