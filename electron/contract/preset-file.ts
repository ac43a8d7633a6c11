/** Presets as a JSON file: what is written is what is read. */
import type { Preset, PresetBody } from './preset.ts';

const kind = 'enlarger-presets';
const version = 1;

export function writePresets(presets: readonly Preset[]): string {
  const listed = presets.map(({ name, operation, options }) => ({ name, operation, options }));
  return `${JSON.stringify({ kind, version, presets: listed }, undefined, 2)}\n`;
}

/** Undefined: not a file of presets. Whether each can be used, the service says. */
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

/** `name`, or with a number behind it where one of `taken` has it, whatever its case. */
export function freePresetName(name: string, taken: readonly string[]): string {
  const known = new Set(taken.map((other) => other.toLowerCase()));
  for (let number = 1; ; number++) {
    const tried = number === 1 ? name : `${name} ${number}`;
    if (!known.has(tried.toLowerCase())) return tried;
  }
}
