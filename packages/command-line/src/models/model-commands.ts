/** Declares the words of `enlarger models`, and does what its commands ask for; `get` is in `download.ts`. */
import { InvalidArgumentError, type Command } from 'commander';
import path from 'node:path';
import { Value } from 'typebox/value';
import { ModelCorrection, type ModelView } from '../../../contract/src/models/model.ts';
import { defaultSettings } from '../../../contract/src/settings/default-models.ts';
import type { Client } from '../../../api-client/src/client.ts';
import { confirm, isAnswerable } from '../confirm.ts';
import type { Ask } from '../connect.ts';
import type { ModelTexts } from '../../../api-client/src/model-calls.ts';
import { getModel } from './download.ts';
import { createImportPrinter } from './import-progress.ts';
import { networksAmong } from './model-files.ts';
import { openNamedBlob } from '../local-files.ts';
import { omitUndefined } from '../../../contract/src/pick-defined.ts';
import { loadPurposes } from './purposes.ts';
import { eachOf } from '../photos/report.ts';
import { readJson, serviceOptions, type ServiceFlags } from '../option-words.ts';
import { noteText, t } from '../text.ts';

interface AddModel extends ServiceFlags, ModelTexts {
  json: boolean;
}

export function addModelCommands(program: Command, ask: Ask): void {
  const models = program.command('models').description('list, add and remove models');
  serviceOptions(models.command('list', { isDefault: true }).description('list the models'))
    .option('--json', 'one JSON line a model', false)
    .action((options: ServiceFlags & { json: boolean }) =>
      ask(options, ({ client }) => listModels(client, options.json)),
    );
  serviceOptions(models.command('add').description('add models from their files'))
    .argument(
      '<file...>',
      '.onnx (with its data file, or an encoder with its decoder), .param and .bin, .pth, .safetensors, or a folder with one or more',
    )
    .option('--name <name>', 'what it is called here')
    .option('--licence <licence>', 'on what terms it may be used')
    .option('--author <author>', 'who made it')
    .option('--json', 'the model as JSON', false)
    .action((names: string[], options: AddModel) =>
      ask(options, ({ client }, signal) => addModel(client, names, options, signal), {
        isShared: true,
      }),
    );
  serviceOptions(
    models.command('get').description('fetch a model from its publisher; without an id: list them'),
  )
    .argument('[modelId]', 'recommended: those for this machine; their sizes are printed first')
    .option('-y, --yes', 'fetch the recommended ones without a question', false)
    .action((modelId: string | undefined, options: ServiceFlags & { yes: boolean }) => {
      const mayFetch = async (signal: AbortSignal) =>
        options.yes || !isAnswerable() || (await confirm(t('Fetch them? [Y/n]'), signal));
      return ask(options, ({ client }, signal) => getModel(client, modelId, signal, mayFetch), {
        isShared: modelId !== undefined,
      });
    });
  serviceOptions(
    models
      .command('use')
      .description('use a model where none is named; of those that select, for clicks and boxes'),
  )
    .argument('<modelId>', `${ownSelection}: the model that cuts out selects by itself`)
    .action((modelId: string, options: ServiceFlags) =>
      ask(options, ({ client }) => useModel(client, modelId)),
    );
  serviceOptions(models.command('correct').description('put right how an added model is used'))
    .argument('<modelId>')
    .argument('<json>', 'as in \'{"channels":"BGR","marginPx":24}\'', readCorrection)
    .action((modelId: string, correction: ModelCorrection, options: ServiceFlags) =>
      ask(options, ({ client }) => correctModel(client, modelId, correction), { isShared: true }),
    );
  serviceOptions(models.command('blend').description('a third model between two that were added'))
    .argument('<modelId>')
    .argument('<otherId>')
    .option('--share <share>', 'how much of the other one, 0 to 1', Number, 0.5)
    .option('--name <name>', 'what it is called here')
    .action(
      (
        modelId: string,
        otherId: string,
        options: ServiceFlags & { share: number; name?: string },
      ) =>
        ask(options, ({ client }) => blendModels(client, modelId, otherId, options), {
          isShared: true,
        }),
    );
  serviceOptions(models.command('remove').description('remove models that were added'))
    .argument('<modelId...>')
    .option('--force', 'also while tasks wait for them', false)
    .action((modelIds: string[], options: ServiceFlags & { force: boolean }) =>
      ask(options, ({ client }) => removeModels(client, modelIds, options.force)),
    );
}

export function readCorrection(text: string): ModelCorrection {
  const fields = Object.keys(ModelCorrection.properties);
  const isObject = (found: unknown): found is object =>
    typeof found === 'object' &&
    found !== null &&
    Object.keys(found).every((key) => fields.includes(key));
  const given = readJson(text, isObject, t('the fields {fields}', { fields: fields.join(', ') }));
  if (Value.Check(ModelCorrection, given)) return given;
  const [first] = Value.Errors(ModelCorrection, given);
  const field = first?.instancePath.slice(1) ?? '';
  throw new InvalidArgumentError(`${field} ${first?.message ?? 'is not valid'}.`);
}

/** In place of an id: no model that selects is used. */
const ownSelection = 'own';

async function useModel(client: Client, modelId: string): Promise<number> {
  const { models } = await client.models();
  const model = models.find(({ id }) => id === modelId);
  if (!model && modelId !== ownSelection)
    throw new InvalidArgumentError(
      t('Expected a model that `enlarger models` lists, or {own}, but received {id}.', {
        own: ownSelection,
        id: modelId,
      }),
    );
  const field = defaultSettings[model?.task ?? 'select'];
  await client.changeSettings({ [field]: model?.id ?? '' });
  return listModels(client, false);
}

/** @throws InvalidArgumentError for the first one that is not installed */
async function assertInstalled(client: Client, modelIds: readonly string[]): Promise<void> {
  const { models } = await client.models();
  const unknown = modelIds.find((modelId) => models.every(({ id }) => id !== modelId));
  if (unknown !== undefined)
    throw new InvalidArgumentError(
      t('`{command}` lists no {id}.', { command: 'enlarger models', id: unknown }),
    );
}

async function removeModels(client: Client, modelIds: string[], force: boolean): Promise<number> {
  await assertInstalled(client, modelIds);
  return eachOf(modelIds, String, (modelId) => client.removeModel(modelId, force));
}

async function listModels(client: Client, json: boolean): Promise<number> {
  const { models } = await client.models();
  const purposes = await loadPurposes();
  const columnOf = (words: readonly string[]) => Math.max(...words.map(({ length }) => length));
  const widths = { id: columnOf(models.map(({ id }) => id)), can: columnOf(models.map(canOf)) };
  for (const model of models)
    console.log(json ? JSON.stringify(model) : modelLine(model, purposes.of(model), widths));
  return 0;
}

const canOf = ({ task, scales }: ModelView) =>
  task === 'select' ? 'select' : scales.map((scale) => `${scale}x`).join(' ') || 'cutout';

function modelLine(model: ModelView, purpose: string, widths: { id: number; can: number }): string {
  const mark = model.isDefault ? '*' : ' ';
  const columns = `${model.id.padEnd(widths.id)}  ${canOf(model).padEnd(widths.can)}`;
  return `${mark} ${columns}  ${purpose} (${model.licence})`;
}

async function addModel(
  client: Client,
  names: string[],
  { json, name, licence, author }: AddModel,
  signal: AbortSignal,
): Promise<number> {
  const networks = await networksAmong(names);
  if (name !== undefined && networks.length > 1)
    throw new Error(
      t('--name is for one network, but {count} were given.', { count: networks.length }),
    );
  const words = omitUndefined({ name, licence, author });
  const add = async (files: readonly string[]) => {
    const blobs = await Promise.all(files.map(openNamedBlob));
    const model = await client.addModel(blobs, words, signal, createImportPrinter());
    if (json) console.log(JSON.stringify(model));
    else for (const line of addedLines(model)) console.log(line);
  };
  const [first, ...others] = networks;
  if (first && others.length === 0) await add(first);
  return others.length === 0 ? 0 : eachOf(networks, ([file = '']) => path.basename(file), add);
}

function addedLines({ id, task, scales, contract, origin }: ModelView): string[] {
  const by = scales.map((scale) => `${scale}x`).join(', ');
  const use = {
    upscale: `${t('It enlarges {scales}:', { scales: by })} enlarger upscale PHOTO --model ${id} --scale ${scales[0] ?? 2}`,
    'remove-bg': `${t('It cuts out subjects:')} enlarger cutout PHOTO --model ${id}`,
    select: `${t('It selects what clicks and boxes point at, once it is in use:')} enlarger models use ${id}`,
  };
  const said = Object.entries(contract ?? {}).map(([key, value]) => `${key} ${wordOf(value)}`);
  return [
    `${t('Added {id}.', { id })} ${use[task]}`,
    ...(said.length > 0 ? [t('Found: {facts}', { facts: said.join(', ') })] : []),
    ...(origin?.notes ?? []).map((note) => t('Note: {note}', { note: noteText(note) })),
  ];
}

const wordOf = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value));

async function correctModel(
  client: Client,
  modelId: string,
  correction: ModelCorrection,
): Promise<number> {
  await assertInstalled(client, [modelId]);
  for (const line of addedLines(await client.correctModel(modelId, correction)).slice(1))
    console.log(line);
  return 0;
}

async function blendModels(
  client: Client,
  modelId: string,
  otherId: string,
  { share, name }: { share: number; name?: string },
): Promise<number> {
  const words = omitUndefined({ name });
  await assertInstalled(client, [modelId, otherId]);
  const model = await client.blendModels(modelId, { with: otherId, share, ...words });
  for (const line of addedLines(model)) console.log(line);
  return 0;
}
