/** What `npm pack` puts into its archive, and that it runs with nothing but its own dependencies beside it. */
import { execFileSync } from 'node:child_process';
import { cpSync, globSync, mkdirSync, readFileSync, statSync, symlinkSync } from 'node:fs';
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

  it('is under 41 MB unpacked, without its dependencies', () => {
    expect(packed.unpackedSize).toBeGreaterThan(5e6);
    expect(packed.unpackedSize).toBeLessThan(41e6);
  });

  it('is said to bring as much for other systems as it does, where people install it', () => {
    const bin = path.join(root, 'node_modules/onnxruntime-node/bin/napi-v6');
    const others = globSync('*/*/*', { cwd: bin }).filter((file) => !/^linux.x64/.test(file));
    const bytes = others.reduce((sum, file) => sum + statSync(path.join(bin, file)).size, 0);
    const documentation = readFileSync(path.join(root, 'docs/programs.md'), 'utf8');
    const saidMb = Number(/(\d+) MB of that are ONNX Runtime's/.exec(documentation)?.[1]);
    expect(Math.abs(saidMb - bytes / 1e6)).toBeLessThan(10);
    const folders = new Set(others.map((file) => path.dirname(file).replaceAll('\\', '/')));
    const removed = /^rm -r (.*?) +#/m.exec(documentation)?.[1]?.split(' ') ?? [];
    const isRemoved = (folder: string) =>
      removed.some((name) => `${folder}/`.startsWith(`${name}/`));
    expect([...folders].filter((folder) => !isRemoved(folder))).toEqual([]);
    expect(isRemoved('linux/x64')).toBe(false);
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
