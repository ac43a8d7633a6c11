/** `enlarger models use` and others, against a service that says which models there are. */
import { Command, InvalidArgumentError } from 'commander';
import { afterEach, expect, it, onTestFinished, vi } from 'vitest';
import { addModelCommands } from '../../../../packages/command-line/src/models/model-commands.ts';
import { models as modelsDe } from '../../../../packages/contract/src/purposes/de.ts';
import { loadLanguage } from '../../../../packages/command-line/src/text.ts';
import type { Client } from '../../../../packages/api-client/src/client.ts';

afterEach(() => vi.restoreAllMocks());

const models = [
  { id: 'natural', task: 'upscale', scales: [2, 4] },
  { id: 'cutout', task: 'remove-bg', scales: [] },
  { id: 'sam', task: 'select', scales: [] },
].map((model) => ({ ...model, isDefault: false, description: 'A model.', licence: 'MIT' }));

/** What `models use` set and printed. */
const use = (modelId: string) => run('use', modelId);

async function run(...words: string[]) {
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
  await program.parseAsync(['models', ...words], { from: 'user' });
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

it('says what models are for in the language of the terminal', async () => {
  await loadLanguage('de-AT');
  onTestFinished(() => loadLanguage('en'));
  const { lines } = await run('list');
  expect(lines).toContainEqual(expect.stringContaining(modelsDe.natural));
  // Of a model that a person added nobody wrote a translation.
  expect(lines).toContainEqual(expect.stringContaining('A model.'));
});

it('says which models there are for anything else', async () => {
  const refused = use('sam2');
  await expect(refused).rejects.toThrow(InvalidArgumentError);
  await expect(refused).rejects.toThrow(/Expected a model that `enlarger models` lists, or own/);
});

it.each([
  ['remove', 'natural', 'sam2'],
  ['correct', 'sam2', '{"marginPx":24}'],
  ['blend', 'natural', 'sam2'],
])('%s refuses a model that is not there, before anything is changed', async (...words) => {
  const refused = run(...words);
  await expect(refused).rejects.toThrow(InvalidArgumentError);
  await expect(refused).rejects.toThrow('`enlarger models` lists no sam2.');
});
