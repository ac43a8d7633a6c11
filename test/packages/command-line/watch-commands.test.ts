import { mkdir, readFile, rm } from 'node:fs/promises';
import { realpathSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createClient, type Client } from '../../../packages/api-client/src/client.ts';
import { buildProgram } from '../../../packages/command-line/src/program.ts';
import { listWatches, watch } from '../../../packages/command-line/src/watch-commands.ts';
import type { ConnectedCommand } from '../../../packages/command-line/src/connect.ts';
import { openPage } from '../../../packages/command-line/src/page-command.ts';
import { followTasks } from '../../../packages/api-client/src/follow.ts';
import { createPauseTeller } from '../../../packages/command-line/src/photos/batch.ts';
import { openService, testModel, testRemover, type TestService } from '../../support/service.ts';
import { heard } from '../../support/heard.ts';

const clientOf = ({ url, key }: TestService) => createClient({ url, key });
const never = new AbortController().signal;

async function openFolders() {
  const service = await openService({ models: [testModel, testRemover] });
  const root = realpathSync(service.dataDir);
  const [folder, saveTo] = [path.join(root, 'inbox'), path.join(root, 'out/deep')];
  await mkdir(folder);
  const client = clientOf(service);
  const command = { folder, saveTo, preset: 'web 4X', recursive: true, existing: true };
  return { service, client, folder, saveTo, command };
}

describe('watching from the command line', () => {
  it('grants the folders to itself alone, makes the one for results, and uses a preset by its name', async () => {
    const { client, folder, saveTo, command } = await openFolders();
    const { lines } = heard();
    const connected = { client, isOwn: false, sharesDisk: true, close: () => Promise.resolve() };
    const wrong = { ...command, preset: 'nope' };
    await expect(watch(connected, wrong, never)).rejects.toThrow('Print 2x, Shop picture, Web 4x');
    expect(await watch(connected, command, never)).toBe(0);
    await listWatches(client, { json: false });
    const watching = `watching     ${folder} -> ${saveTo}  0 of 0 done, 0 failed`;
    expect(lines).toEqual([watching, watching]);
    expect((await client.settings()).grantedFolders).toEqual([]);
  });

  it('names what was cancelled apart from what failed', async () => {
    const counts = { seen: 3, finished: 1, failed: 0, cancelled: 2 };
    const watched = { folder: '/in', saveTo: '/out', state: 'watching', counts };
    const { lines } = heard();
    await listWatches({ watches: () => Promise.resolve([watched]) } as unknown as Client, {
      json: false,
    });
    expect(lines).toEqual(['watching     /in -> /out  1 of 3 done, 0 failed, 2 cancelled']);
  });

  it('goes on with a folder that is watched already, instead of twice', async () => {
    const { client, command } = await openFolders();
    heard();
    const connected = { client, isOwn: false, sharesDisk: true, close: () => Promise.resolve() };
    await watch(connected, command, never);
    await watch(connected, { ...command, preset: 'Print 2x', recursive: false }, never);
    const watches = await client.watches();
    expect(watches).toMatchObject([{ presetId: 'shipped-2', recursive: false }]);
  });

  it('puts the results of a folder that is watched already elsewhere, and says so', async () => {
    const { client, folder, saveTo, command } = await openFolders();
    const { warnings } = heard();
    const connected = { client, isOwn: false, sharesDisk: true, close: () => Promise.resolve() };
    await watch(connected, command, never);
    const elsewhere = path.join(path.dirname(folder), 'elsewhere');
    await watch(connected, { ...command, saveTo: elsewhere }, never);
    expect(await client.watches()).toMatchObject([{ folder, saveTo: elsewhere }]);
    expect(warnings).toContain(`Its results went to ${saveTo} until now.`);
  });

  it('ends with `watches remove`, also for a folder that is gone', async () => {
    const { client, folder, command } = await openFolders();
    const { lines, warnings } = heard();
    const connected = { client, isOwn: false, sharesDisk: true, close: () => Promise.resolve() };
    const codes: number[] = [];
    const run = (...words: string[]) =>
      buildProgram('1.0.0', {
        programUrl: import.meta.url,
        serve: () => Promise.reject(new Error('No service was named.')),
        photos: () => Promise.reject(new Error('No photo was named.')),
        editIn: () => Promise.reject(new Error('No photo was named.')),
        ask: async (_, work) => void codes.push(await work(connected, never)),
      }).parseAsync(words, { from: 'user' });
    await watch(connected, command, never);
    await rm(folder, { recursive: true });
    await run('watches', 'remove', folder);
    await run('watches', 'remove', folder);
    lines.length = 0;
    await run('watches');
    expect([codes, lines]).toEqual([[0, 1, 0], []]);
    expect(warnings.join()).toContain(`${folder}: Expected a folder that \`enlarger watches\``);
  });

  it('stays with a service of its own until it is ended', async () => {
    const { client, command } = await openFolders();
    const { warnings } = heard();
    const ending = new AbortController();
    let ended = false;
    const connected = { client, isOwn: true, sharesDisk: true, close: () => Promise.resolve() };
    const staying = watch(connected, command, ending.signal).then(() => (ended = true));
    await expect.poll(() => warnings.join(), { timeout: 30_000 }).toContain('Ctrl+C');
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(ended).toBe(false);
    expect(await client.watches()).toMatchObject([{ enabled: true }]);
    ending.abort();
    await staying;
    // No other command's service goes on with it.
    expect(await client.watches()).toMatchObject([{ enabled: false }]);
  });

  it('makes no folder of a name that was mistyped', async () => {
    const { client, folder, command } = await openFolders();
    heard();
    const connected = { client, isOwn: false, sharesDisk: true, close: () => Promise.resolve() };
    const mistyped = { ...command, folder: `${folder}x` };
    await expect(watch(connected, mistyped, never)).rejects.toThrow('There is no file or folder');
    expect(await client.watches()).toEqual([]);
  });
});

describe('presets from the command line', () => {
  it('are made, listed, exported, removed and imported', async () => {
    const service = await openService({ models: [testModel, testRemover] });
    const client = clientOf(service);
    const { lines } = heard();
    const unexpected = () => Promise.reject(new Error('Another command ran.'));
    const run = async (...words: string[]) => {
      const commands = {
        programUrl: import.meta.url,
        serve: () => Promise.reject(new Error('No service was named.')),
        photos: unexpected,
        editIn: unexpected,
        ask: async (_: object, work: ConnectedCommand) => {
          const connected = {
            client,
            isOwn: false,
            sharesDisk: true,
            close: () => Promise.resolve(),
          };
          expect(await work(connected, never)).toBe(0);
        },
      };
      await buildProgram('1.0.0', commands).parseAsync(['presets', ...words], { from: 'user' });
    };
    const file = path.join(service.dataDir, 'presets.json');
    await run('add-upscale', 'Wall', '--long-edge', '9000', '-f', 'tiff');
    await run('add-cutout', 'Cut', '-b', 'white', '--crop', '5');
    await run('export', file, 'wall', 'cut');
    await expect(run('export', file)).rejects.toThrow('a file of that name is there');
    await run('remove', 'Wall');
    await run('import', file);
    lines.length = 0;
    await run();
    const written = JSON.parse(await readFile(file, 'utf8')) as object;
    expect(written).toMatchObject({ kind: 'enlarger-presets', presets: [{ name: 'Wall' }, {}] });
    expect(lines.map((line) => line.replaceAll(/\s+/g, ' '))).toEqual([
      'Cut remove-bg background #ffffff, crop 5',
      'Cut 2 remove-bg background #ffffff, crop 5',
      'Print 2x upscale scale 2, format tiff',
      'Shop picture remove-bg background white, canvas 2000 x 2000, subjectScale 85, format jpeg, quality 90',
      'Wall upscale longEdge 9000, format tiff',
      'Web 4x upscale scale 4, format jpeg, quality 85, metadata private',
    ]);
    await expect(run('remove', 'nope')).rejects.toThrow('No preset is called nope; there are Cut');
  });
});

describe('the page from the command line', () => {
  it('is opened by a link that works once', async () => {
    const service = await openService();
    const { lines } = heard();
    const connected = {
      client: clientOf(service),
      isOwn: false,
      sharesDisk: true,
      close: () => Promise.resolve(),
    };
    const opened: string[] = [];
    const open = (url: string) => Promise.resolve(void opened.push(url));
    expect(await openPage(connected, never, open)).toBe(0);
    expect(lines).toEqual(opened);
    const [address = '', token] = (opened[0] ?? '').split('/#token=');
    expect(address).toBe(service.url);
    const exchange = () => service.call('POST', '/api/session', { token }, { origin: address });
    expect([(await exchange()).status, (await exchange()).status]).toEqual([200, 401]);
  });
});

describe('a paused queue', () => {
  it('is told of, each pause once', async () => {
    const service = await openService();
    const client = clientOf(service);
    const { warnings } = heard();
    await client.switchQueue('pause');
    const ending = new AbortController();
    onTestFinished(() => ending.abort());
    followTasks(client, ending.signal, createPauseTeller());
    await expect.poll(() => warnings.length, { timeout: 30_000 }).toBe(1);
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(warnings).toHaveLength(1);
    expect(warnings[0]).toContain('The queue is paused');
  });
});
