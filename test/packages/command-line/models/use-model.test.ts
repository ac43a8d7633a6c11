/** `enlarger models use`, against a service that says which models there are. */
import { Command } from 'commander';
import { afterEach, expect, it, vi } from 'vitest';
import { addModelCommands } from '../../../../packages/command-line/src/models/model-commands.ts';
import type { Client } from '../../../../electron/client/client.ts';

afterEach(() => vi.restoreAllMocks());

const models = [
  { id: 'natural', task: 'upscale', scales: [2, 4] },
  { id: 'cutout', task: 'remove-bg', scales: [] },
  { id: 'sam', task: 'select', scales: [] },
].map((model) => ({ ...model, isDefault: false, description: 'A model.', licence: 'MIT' }));

/** What the words set and printed. */
async function use(modelId: string) {
  const lines: string[] = [];
  vi.spyOn(console, 'log').mockImplementation((line: string) => void lines.push(line));
  const settings: object[] = [];
  const client = {
    models: () => Promise.resolve({ models }),
    changeSettings: (patch: object) => Promise.resolve(settings.push(patch)),
  } as unknown as Client;
  const program = new Command().exitOverride();
  addModelCommands(program, async (_options, work) => {
    const connected = { client, isOwn: false, sharesDisk: true, close: () => Promise.resolve() };
    await work(connected, AbortSignal.abort());
  });
  await program.parseAsync(['models', 'use', modelId], { from: 'user' });
  return { settings, lines };
}

it.each([
  ['natural', { defaultUpscaler: 'natural' }],
  ['cutout', { defaultRemover: 'cutout' }],
  ['sam', { defaultSelector: 'sam' }],
  ['own', { defaultSelector: '' }],
])('makes %s the default of its task', async (id, patch) => {
  const { settings, lines } = await use(id);
  expect(settings).toEqual([patch]);
  expect(lines.map((line) => line.trim().split(/\s+/).slice(0, 2).join(' '))).toEqual([
    'natural 2x',
    'cutout cutout',
    'sam select',
  ]);
});

it('says which models there are for anything else', async () => {
  await expect(use('sam2')).rejects.toThrow(
    /Expected a model that `enlarger models` lists, or own/,
  );
});
