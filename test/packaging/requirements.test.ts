/** What the documentation says that a system needs, against what the native parts that ship were built for. */
import { globSync } from 'node:fs';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { replacePackages } from '../../packaging/intel-mac.ts';
import { root } from '../support/program.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const read = (file: string) => readFile(path.join(root, file), 'utf8');
const natives = (pattern: string) => globSync(`node_modules/${pattern}`, { cwd: root });

/** The oldest macOS that a Mach-O file of 64 bits names in LC_BUILD_VERSION, or 0. */
function oldestMac(bytes: Buffer): number {
  const loadBuildVersion = 0x32;
  const headerBytes = 32;
  let at = headerBytes;
  for (let left = bytes.readUInt32LE(16); left > 0; left -= 1) {
    if (bytes.readUInt32LE(at) === loadBuildVersion) return bytes.readUInt32LE(at + 12) >> 16;
    at += bytes.readUInt32LE(at + 4);
  }
  return 0;
}

/** The newest of the glibc versions whose symbols a file asks for, as its second number. */
function newestGlibc(bytes: Buffer): number {
  const named = [...bytes.toString('latin1').matchAll(/\0GLIBC_2\.(\d+)(?=\0)/g)];
  return Math.max(0, ...named.map(([, second]) => Number(second)));
}

describe('what the documentation says that is needed', () => {
  it('is the macOS for which the native parts were built', async () => {
    const files = natives(
      '{onnxruntime-node/bin/napi-v6/darwin/*/*,better-sqlite3/prebuilds/darwin-arm64.node}',
    );
    expect(files.length).toBeGreaterThan(2);
    const needed = Math.max(
      ...(await Promise.all(files.map((file) => readFile(path.join(root, file))))).map(oldestMac),
    );
    const { mac } = parse(await read('electron-builder.yml')) as {
      mac: { minimumSystemVersion: string };
    };
    expect(Number(mac.minimumSystemVersion)).toBeGreaterThanOrEqual(needed);
    expect(await read('docs/install.md')).toContain(
      `macOS ${parseInt(mac.minimumSystemVersion, 10)} or newer`,
    );
  });

  it('is the glibc for which the native parts were built', async () => {
    const files = natives(
      '{onnxruntime-node/bin/napi-v6/linux/*/*,better-sqlite3/prebuilds/linux-*.node,@img/sharp-*linux-*/lib/*.{node,so*},node-linux-*/bin/node}',
    );
    expect(files.length).toBeGreaterThan(4);
    let needed = 0;
    for (const file of files)
      needed = Math.max(needed, newestGlibc(await readFile(path.join(root, file))));
    const said = /glibc 2\.(\d+) or newer/.exec(await read('docs/install.md'))?.[1];
    expect(Number(said)).toBe(needed);
  });
});

describe('the ONNX Runtime of Macs with Intel processors', () => {
  it('takes the place of the usual one, with nothing of it left', async () => {
    const dir = temporaryFolder();
    for (const [folder, file] of [
      ['usual', 'new.js'],
      ['older', 'old.js'],
    ] as const)
      for (const name of ['onnxruntime-node', 'onnxruntime-common', 'other']) {
        await mkdir(path.join(dir, folder, name), { recursive: true });
        await writeFile(path.join(dir, folder, name, file), '');
      }
    await replacePackages(path.join(dir, 'usual'), path.join(dir, 'older'));
    const inside = (name: string) => readdir(path.join(dir, 'usual', name));
    expect(await inside('onnxruntime-node')).toEqual(['old.js']);
    expect(await inside('onnxruntime-common')).toEqual(['old.js']);
    expect(await inside('other')).toEqual(['new.js']);
  });
});
