/** Presets: options of a submit under a name, in the service and in a file. */
import { Type, type Static } from 'typebox';
import { named, optional, Timestamp } from '../common.ts';
import { Operation, RemoveBackgroundPreset, SubmitOptions, UpscalePreset } from '../request.ts';

const PresetName = Type.String({
  minLength: 1,
  maxLength: 100,
  pattern: '\\S',
  description: 'Unique, ignoring case.',
});

export const Preset = named('Preset', {
  id: Type.String(),
  name: Type.String(),
  operation: Operation,
  options: Type.Union([UpscalePreset, RemoveBackgroundPreset], {
    description: "The fields of the operation's submit, without imageUrl and source.",
  }),
  createdAt: Timestamp,
});
export type Preset = Static<typeof Preset>;

export const PresetList = named('PresetList', {
  presets: Type.Array(Preset, { description: 'Sorted by name.' }),
});
export type PresetList = Static<typeof PresetList>;

export const PresetBody = named('PresetBody', {
  name: PresetName,
  operation: Operation,
  options: SubmitOptions,
});
export type PresetBody = Static<typeof PresetBody>;

/** `options` are replaced as a whole. Changing the operation requires options. */
export const PresetPatch = named('PresetPatch', optional(PresetBody.properties), {
  minProperties: 1,
});
export type PresetPatch = Static<typeof PresetPatch>;

const kind = 'enlarger-presets';
const version = 1;

/** JSON file for readPresets. */
export function writePresets(presets: readonly Preset[]): string {
  const listed = presets.map(({ name, operation, options }) => ({ name, operation, options }));
  return `${JSON.stringify({ kind, version, presets: listed }, undefined, 2)}\n`;
}

/**
 * Returns undefined if the text is no file of presets. Whether each can be used is validated by the service.
 */
export function readPresets(json: string): PresetBody[] | undefined {
  const file = parsed(json);
  if (!isRecord(file) || file.kind !== kind || !Array.isArray(file.presets)) return undefined;
  const presets: unknown[] = file.presets;
  return presets.every(isPreset) ? presets : undefined;
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}

function isPreset(value: unknown): value is PresetBody {
  return (
    isRecord(value) &&
    typeof value.name === 'string' &&
    (value.operation === 'upscale' || value.operation === 'remove-bg') &&
    isRecord(value.options)
  );
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

/** `name`, or with the first free number if taken regardless of case. */
export function freePresetName(name: string, taken: readonly string[]): string {
  const known = new Set(taken.map((other) => other.toLowerCase()));
  for (let number = 1; ; number++) {
    const tried = number === 1 ? name : `${name} ${number}`;
    if (!known.has(tried.toLowerCase())) return tried;
  }
}
