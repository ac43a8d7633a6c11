/** What the package must keep outside its archive: a plain Node runs the engine and cannot read one. */
import { readFile } from 'node:fs/promises';
import { builtinModules } from 'node:module';
import path from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { root, startProgram } from '../support/program.ts';

describe("the engine's built files", () => {
  let imported: string[];
  beforeAll(async () => {
    const launcher = path.join(root, 'electron/launch.mjs');
    expect((await startProgram(process.execPath, [launcher, 'cli', '--version']).ended).code).toBe(
      0,
    );
    imported = await importsOf(['engine.js', 'inference.js']);
  });

  it('share chunks with each other alone, or chunks that are named as theirs', () => {
    const chunks = imported.filter((name) => name.startsWith('./')).map((name) => name.slice(2));
    expect(chunks.filter((name) => !/^engine-.*\.js$/.test(name))).toEqual([]);
  });

  it('load only packages that electron-builder.yml keeps outside', async () => {
    const configuration = await readFile(path.join(root, 'electron-builder.yml'), 'utf8');
    const unpacked = /asarUnpack:\n((?: {2}- .*\n)+)/.exec(configuration)?.[1] ?? '';
    const packages = imported.filter((name) => !name.startsWith('.') && !isBuiltin(name));
    expect(packages.length).toBeGreaterThan(0);
    const areAllOutside = unpacked.includes('- node_modules/**\n');
    expect(
      packages.filter((name) => !areAllOutside && !unpacked.includes(name.split('/')[0]!)),
    ).toEqual([]);
  });
});

describe("the main process's built files", () => {
  it('never load sharp or onnxruntime', async () => {
    const imported = await importsOf(['main.js']);
    expect(imported).toContain('electron');
    expect(
      imported.filter((name) => /^(sharp|@img|onnxruntime|libheif|libraw)/.test(name)),
    ).toEqual([]);
  });
});

/** Of the files and of the chunks that they import. */
async function importsOf(files: string[]): Promise<string[]> {
  const found = new Set<string>();
  const waiting = [...files];
  for (const file of waiting) {
    const code = await readFile(path.join(root, 'out/main', file), 'utf8');
    for (const [, name] of code.matchAll(/\b(?:from|import)\s*["']([^"']+)["']/g)) {
      if (name === undefined || found.has(name)) continue;
      found.add(name);
      if (name.startsWith('./')) waiting.push(name.slice(2));
    }
  }
  return [...found];
}

function isBuiltin(name: string): boolean {
  return name.startsWith('node:') || builtinModules.includes(name);
}
