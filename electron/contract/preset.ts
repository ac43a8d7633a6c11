/** Presets: the options of a submit under a name. */
import { Type, type Static } from 'typebox';
import { named, Timestamp } from './common.ts';
import { Operation, RemoveBackgroundPreset, SubmitOptions, UpscaleOptions } from './submit.ts';

const PresetName = Type.String({
  minLength: 1,
  maxLength: 100,
  pattern: '\\S',
  description: 'Unique, whatever its case.',
});

export const Preset = named('Preset', {
  id: Type.String(),
  name: Type.String(),
  operation: Operation,
  options: Type.Union([UpscaleOptions, RemoveBackgroundPreset], {
    description: "The fields of the operation's submit, without imageUrl and source.",
  }),
  createdAt: Timestamp,
});
export type Preset = Static<typeof Preset>;

export const PresetList = named('PresetList', {
  presets: Type.Array(Preset, { description: 'By name.' }),
});
export type PresetList = Static<typeof PresetList>;

export const PresetBody = named('PresetBody', {
  name: PresetName,
  operation: Operation,
  options: SubmitOptions,
});
export type PresetBody = Static<typeof PresetBody>;

/** `options` takes the place of all that were there. Another operation needs its options too. */
export const PresetPatch = Type.Partial(PresetBody, {
  $id: 'PresetPatch',
  additionalProperties: false,
  minProperties: 1,
});
export type PresetPatch = Static<typeof PresetPatch>;
