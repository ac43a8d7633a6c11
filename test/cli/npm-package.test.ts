/** What `npm pack` puts into its archive, and that it runs with nothing but its own dependencies beside it. */
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { root, startProgram } from '../support/program.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

interface Packed {
  unpackedSize: number;
  files: { path: string }[];
}
interface Description {
  version: string;
  dependencies: Record<string, string>;
}

const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm';

describe('the npm package', () => {
  let packed: Packed;
  let names: string[];

  beforeAll(async () => {
    // Builds what is missing.
    const launcher = path.join(root, 'electron/launch.mjs');
    await startProgram(process.execPath, [launcher, 'cli', '--version']).ended;
    const args = ['pack', '--dry-run', '--json', '--ignore-scripts'];
    const text = execFileSync(npm, args, {
      cwd: root,
      encoding: 'utf8',
      shell: process.platform === 'win32',
    });
    packed = (JSON.parse(text) as [Packed])[0];
    names = packed.files.map(({ path: name }) => name);
  });

  it('holds programs, page, networks and licences, and no sources', () => {
    const wanted = ['electron/launch.mjs', 'out/main/cli.js', 'out/main/headless.js', 'LICENSE'];
    expect(names).toEqual(expect.arrayContaining([...wanted, 'models/catalogue.json']));
    expect(names.filter((name) => /\.(ts|map|py|pt|svelte)$|^test/.test(name))).toEqual([]);
  });

  it('is under 30 MB unpacked, without its dependencies', () => {
    expect(packed.unpackedSize).toBeGreaterThan(5e6);
    expect(packed.unpackedSize).toBeLessThan(30e6);
  });

  it('runs its command line with its own dependencies alone', async () => {
    const dir = temporaryFolder();
    const installed = path.join(dir, 'node_modules/enlarger');
    for (const name of names) cpSync(path.join(root, name), path.join(installed, name));
    const text = readFileSync(path.join(root, 'package.json'), 'utf8');
    const { version, dependencies } = JSON.parse(text) as Description;
    for (const name of Object.keys(dependencies)) {
      const link = path.join(dir, 'node_modules', name);
      mkdirSync(path.dirname(link), { recursive: true });
      symlinkSync(path.join(root, 'node_modules', name), link, 'junction');
    }
    const launcher = path.join(installed, 'electron/launch.mjs');
    const run = (...args: string[]) => startProgram(process.execPath, [launcher, ...args]).ended;
    expect(await run('--version')).toMatchObject({ code: 0, stdout: `${version}\n` });
    const listed = await run('models', '--data-dir', path.join(dir, 'data'));
    expect([listed.code, listed.stderr]).toEqual([0, '']);
    expect(listed.stdout).toContain('faithful');
  });
});
