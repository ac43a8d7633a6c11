/** `enlarger presets` lists, makes and removes presets, and writes them to a file or reads them from one. */
import { writeFile } from 'node:fs/promises';
import { InvalidArgumentError, type Command } from 'commander';
import {
  type Preset,
  type PresetBody,
  freePresetName,
  readPresets,
  writePresets,
} from '../../contract/src/settings/preset.ts';
import type { Client } from '../../api-client/src/client.ts';
import type { Ask } from './connect.ts';
import { hasCode } from '../../files/src/file-errors.ts';
import { fileReason } from './error-message.ts';
import { readText } from './local-files.ts';
import { serviceOptions, type ServiceFlags } from './option-words.ts';
import { printable } from './printable.ts';
import {
  cutoutBody,
  cutoutOptions,
  outputOptions,
  upscaleBody,
  upscaleOptions,
  type RawCutout,
  type RawOutput,
  type RawUpscale,
} from './photos/photo-options.ts';
import { t, tn } from './text.ts';

export function addPresetCommands(program: Command, ask: Ask): void {
  const presets = program.command('presets').description('list, make and remove presets');
  serviceOptions(presets.command('list', { isDefault: true }).description('list the presets'))
    .option('--json', 'one JSON line a preset', false)
    .action((options: ServiceFlags & { json: boolean }) =>
      ask(options, ({ client }) => listPresets(client, options)),
    );
  addMaking(presets, 'upscale', ask);
  addMaking(presets, 'cutout', ask);
  serviceOptions(presets.command('export').description('write presets to a JSON file'))
    .argument('<file>', 'the page and `presets import` read it')
    .argument('[name...]', 'all when none is named')
    .action((file: string, names: string[], options: ServiceFlags) =>
      ask(options, ({ client }) => exportPresets(client, file, names)),
    );
  serviceOptions(presets.command('import').description('take presets from such a file'))
    .argument('<file>')
    .action((file: string, options: ServiceFlags) =>
      ask(options, ({ client }) => importPresets(client, file)),
    );
  serviceOptions(presets.command('remove').description('remove presets'))
    .argument('<name...>')
    .action((names: string[], options: ServiceFlags) =>
      ask(options, ({ client }) => removePresets(client, names)),
    );
}

function addMaking(presets: Command, operation: 'upscale' | 'cutout', ask: Ask): void {
  const command = presets
    .command(`add-${operation}`)
    .description(`keep options of \`enlarger ${operation}\` under a name`)
    .argument('<name>');
  const withOwn = operation === 'upscale' ? upscaleOptions(command) : cutoutOptions(command);
  serviceOptions(outputOptions(withOwn)).action(
    (name: string, raw: ServiceFlags & RawOutput & RawUpscale & RawCutout) => {
      const body: PresetBody =
        operation === 'upscale'
          ? { name, operation, options: upscaleBody(raw) }
          : { name, operation: 'remove-bg', options: cutoutBody(raw) };
      return ask(raw, async ({ client }) => {
        console.log(presetLine(await client.addPreset(body)));
        return 0;
      });
    },
  );
}

async function listPresets(client: Client, { json }: { json: boolean }): Promise<number> {
  const presets = await client.presets();
  if (presets.length === 0 && !json) console.error(t('There are no presets.'));
  for (const preset of presets) console.log(json ? JSON.stringify(preset) : presetLine(preset));
  return 0;
}

function presetLine({ name, operation, options }: Preset): string {
  const values = Object.entries(options).map(([field, value]) => `${field} ${valueText(value)}`);
  return printable(`${name.padEnd(20)}  ${operation.padEnd(9)}  ${values.join(', ')}`);
}

function valueText(value: unknown): string {
  if (typeof value !== 'object' || value === null) return String(value);
  return 'width' in value && 'height' in value
    ? `${String(value.width)} x ${String(value.height)}`
    : JSON.stringify(value);
}

async function exportPresets(client: Client, file: string, names: string[]): Promise<number> {
  const presets = await client.presets();
  const chosen = names.length === 0 ? presets : names.map((name) => presetNamed(name, presets));
  try {
    await writeFile(file, writePresets(chosen), { flag: 'wx' });
  } catch (error) {
    const why = hasCode(error, ['EEXIST']) ? t('a file of that name is there.') : fileReason(error);
    throw new Error(t('{file} cannot be written: {reason}', { file, reason: why }), {
      cause: error,
    });
  }
  console.log(`${tn(chosen.length, '{count} preset', '{count} presets')} -> ${file}`);
  return 0;
}

/** Adds the presets of a file. A preset whose name is taken gets a number. */
async function importPresets(client: Client, file: string): Promise<number> {
  const read = readPresets(await readText(file));
  if (!read)
    throw new Error(t('Expected {file} to be a file that `presets export` wrote.', { file }));
  const taken = (await client.presets()).map(({ name }) => name);
  for (const preset of read) {
    const name = freePresetName(preset.name, taken);
    taken.push(name);
    console.log(presetLine(await client.addPreset({ ...preset, name })));
  }
  return 0;
}

async function removePresets(client: Client, names: string[]): Promise<number> {
  const presets = await client.presets();
  for (const { id } of names.map((name) => presetNamed(name, presets)))
    await client.removePreset(id);
  return 0;
}

/**
 * Finds a preset by its name, in any case.
 *
 * @param flag the option that names the preset, for the error
 * @throws InvalidArgumentError which lists the presets there are
 */
export function presetNamed(name: string, presets: readonly Preset[], flag?: string): Preset {
  const found = presets.find((preset) => preset.name.toLowerCase() === name.toLowerCase());
  if (found) return found;
  const known = presets.map((preset) => preset.name).join(', ') || t('none yet');
  const sentence = t('No preset is called {name}; there are {presets}.', { name, presets: known });
  throw new InvalidArgumentError(flag === undefined ? sentence : `${flag}: ${sentence}`);
}
