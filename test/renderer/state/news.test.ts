import { readFileSync, writeFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { compileModule } from 'svelte/compiler';
import { expect, it } from 'vitest';
import type { News, NewsName } from '../../../renderer/state/news.svelte.ts';
import { root } from '../../support/program.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

interface Compiled {
  News: new () => News;
  /** How often an effect ran that follows the names; all that waits runs before. */
  runsOf: (news: News, ...names: NewsName[]) => () => number;
}

/** The page's own file with an effect beside it, compiled as for a browser. */
async function compiled(): Promise<Compiled> {
  const source = readFileSync(path.join(root, 'renderer/state/news.svelte.ts'), 'utf8');
  const effect = `
    import { flushSync } from 'svelte';
    export function runsOf(news, ...names) {
      let runs = 0;
      $effect.root(() => { $effect(() => { news.follow(...names); runs += 1; }); });
      return () => (flushSync(), runs);
    }`;
  const { js } = compileModule(stripTypeScriptTypes(source) + effect, { generate: 'client' });
  const client = import.meta.resolve('svelte/internal/client');
  const index = new URL('../../index-client.js', client).href;
  const code = js.code
    .replaceAll("'svelte/internal/client'", `'${client}'`)
    .replaceAll("'svelte'", `'${index}'`)
    .replace(/import 'svelte\/internal\/.*';/g, '');
  const file = path.join(temporaryFolder(), 'news.mjs');
  writeFileSync(file, code);
  return (await import(pathToFileURL(file).href)) as Compiled;
}

it('runs again what follows a name when that is told of, and nothing else', async () => {
  const { News, runsOf } = await compiled();
  const news = new News();
  const presets = runsOf(news, 'presets');
  const queue = runsOf(news, 'queue', 'watches');
  expect([presets(), queue()]).toEqual([1, 1]);
  for (const times of [2, 3]) {
    news.note(['queue']);
    expect([presets(), queue()]).toEqual([1, times]);
  }
  news.note(['presets']);
  expect([presets(), queue()]).toEqual([2, 3]);
});

it('runs all of it again at a connection, before which changes were told to nobody', async () => {
  const { News, runsOf } = await compiled();
  const news = new News();
  const presets = runsOf(news, 'presets');
  const queue = runsOf(news, 'queue');
  expect([presets(), queue()]).toEqual([1, 1]);
  news.connect();
  expect([presets(), queue()]).toEqual([2, 2]);
});
