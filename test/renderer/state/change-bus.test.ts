import { readFileSync, writeFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { compileModule } from 'svelte/compiler';
import { expect, it } from 'vitest';
import type { ChangeBus, ChangeName } from '../../../renderer/state/change-bus.svelte.ts';
import { root } from '../../support/program.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

interface Compiled {
  ChangeBus: new () => ChangeBus;
  /** How often an effect ran that follows the names; all that waits runs before. */
  runsOf: (changeBus: ChangeBus, ...names: ChangeName[]) => () => number;
}

/** The page's own file with an effect beside it, compiled as for a browser. */
async function compiled(): Promise<Compiled> {
  const source = readFileSync(path.join(root, 'renderer/state/change-bus.svelte.ts'), 'utf8');
  const effect = `
    import { flushSync } from 'svelte';
    export function runsOf(changeBus, ...names) {
      let runs = 0;
      $effect.root(() => { $effect(() => { changeBus.follow(...names); runs += 1; }); });
      return () => (flushSync(), runs);
    }`;
  const { js } = compileModule(stripTypeScriptTypes(source) + effect, { generate: 'client' });
  const client = import.meta.resolve('svelte/internal/client');
  const index = new URL('../../index-client.js', client).href;
  const code = js.code
    .replaceAll("'svelte/internal/client'", `'${client}'`)
    .replaceAll("'svelte'", `'${index}'`)
    .replace(/import 'svelte\/internal\/.*';/g, '');
  const file = path.join(temporaryFolder(), 'changeBus.mjs');
  writeFileSync(file, code);
  return (await import(pathToFileURL(file).href)) as Compiled;
}

it('runs again what follows a name when that is told of, and nothing else', async () => {
  const { ChangeBus, runsOf } = await compiled();
  const changeBus = new ChangeBus();
  const presets = runsOf(changeBus, 'presets');
  const queue = runsOf(changeBus, 'queue', 'watches');
  expect([presets(), queue()]).toEqual([1, 1]);
  for (const times of [2, 3]) {
    changeBus.note(['queue']);
    expect([presets(), queue()]).toEqual([1, times]);
  }
  changeBus.note(['presets']);
  expect([presets(), queue()]).toEqual([2, 3]);
});

it('runs all of it again at a connection, before which changes were told to nobody', async () => {
  const { ChangeBus, runsOf } = await compiled();
  const changeBus = new ChangeBus();
  const presets = runsOf(changeBus, 'presets');
  const queue = runsOf(changeBus, 'queue');
  expect([presets(), queue()]).toEqual([1, 1]);
  changeBus.connect();
  expect([presets(), queue()]).toEqual([2, 2]);
});
