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

const assets = path.join(folder, 'assets');

/**
 * The scripts that the page loads before it paints: those of its head, the page itself, which follows the
 * settings' language, and what these import at once.
 */
async function scriptsAtStart(): Promise<Set<string>> {
  const html = await readFile(path.join(folder, 'index.html'), 'utf8');
  const waiting = [...html.matchAll(/(?:src|href)="[^"]*?assets\/([^"]+\.js)"/g)].map(
    ([, name]) => name!,
  );
  const page = (await readdir(assets)).find((name) => /^show-page-.*\.js$/.test(name));
  if (page === undefined) throw new Error('The built page has no script of its own.');
  return withImports([...waiting, page]);
}

/** The scripts, and all that these import at once. */
async function withImports(waiting: string[]): Promise<Set<string>> {
  const loaded = new Set<string>();
  for (let name = waiting.pop(); name !== undefined; name = waiting.pop()) {
    if (loaded.has(name)) continue;
    loaded.add(name);
    waiting.push(...(await importsOf(name)));
  }
  return loaded;
}

async function importsOf(name: string): Promise<string[]> {
  const code = await readFile(path.join(assets, name), 'utf8');
  const imports = code.matchAll(/\b(?:import|from)\s*["']\.\/([^"']+\.js)["']/g);
  return [...imports].map(([, imported]) => imported!);
}

/** Each is a script of its own, beside English. */
const languages = ['de', 'es', 'fr', 'it', 'ja', 'nl', 'pl', 'pt-BR', 'zh-Hans'];

async function gzippedBytes(names: Iterable<string>): Promise<number> {
  const sizes = [...names].map(
    async (name) => gzipSync(await readFile(path.join(assets, name))).length,
  );
  return (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
}

it('loads at most 145 KB of JavaScript, gzipped, before it paints in English', async () => {
  const total = await gzippedBytes(await scriptsAtStart());
  expect(total).toBeGreaterThan(100_000);
  expect(total).toBeLessThanOrEqual(145_000);
});

it('imports nothing in a circle before it paints, because the texts are awaited', async () => {
  const left = new Map<string, string[]>();
  for (const name of await scriptsAtStart()) left.set(name, await importsOf(name));
  const isFree = (imports: string[]) => imports.every((name) => !left.has(name));
  let free: string[];
  do {
    free = [...left].filter(([, imports]) => isFree(imports)).map(([name]) => name);
    for (const name of free) left.delete(name);
  } while (free.length > 0);
  expect([...left.keys()]).toEqual([]);
});

it('awaits no language that would wait for the page in turn', async () => {
  const all = await readdir(assets);
  const tags = ['en', ...languages];
  const scripts = tags.map((tag) => all.find((name) => name.startsWith(`${tag}-`))!);
  let awaiting = 0;
  for (const name of await scriptsAtStart()) {
    const code = await readFile(path.join(assets, name), 'utf8');
    if (!scripts.some((script) => code.includes(`import(\`./${script}\`)`))) continue;
    awaiting += 1;
    for (const script of scripts) expect([...(await withImports([script]))]).not.toContain(name);
  }
  expect(awaiting).toBe(1);
});

it('has at most 250 KB of JavaScript in English, with the viewer and every dialog', async () => {
  const isOther = (name: string) => languages.some((language) => name.startsWith(`${language}-`));
  const all = (await readdir(assets)).filter((name) => name.endsWith('.js') && !isOther(name));
  expect(await gzippedBytes(all)).toBeLessThanOrEqual(250_000);
});

it('carries no documentation of the API', async () => {
  for (const name of (await readdir(assets)).filter((one) => one.endsWith('.js')))
    expect(await readFile(path.join(assets, name), 'utf8')).not.toContain(
      'Factor by which width and height grow',
    );
});

it('loads the viewer, other languages and dialogs when they are needed', async () => {
  const all = (await readdir(assets)).filter((name) => name.endsWith('.js'));
  const loaded = await scriptsAtStart();
  const later = all.filter((name) => !loaded.has(name));
  expect(later.some((name) => name.startsWith('workbench-'))).toBe(true);
  for (const language of languages)
    expect(
      later.some((name) => name.startsWith(`${language}-`)),
      language,
    ).toBe(true);
});

it('loads nothing from elsewhere', async () => {
  const html = await readFile(path.join(folder, 'index.html'), 'utf8');
  expect(html).not.toMatch(/https?:\/\//);
});
