/** Tunes each mask network by values that were found for it by experiment. */
import { Value } from 'typebox/value';
import { MaskTuning, type MaskNetworkDescriptor } from '../../../contract/models/model.ts';

/** A network whose descriptor leaves out a value, such as an imported one, has the default. */
const byDefault = Value.Default(MaskTuning, {}) as MaskTuning;

export const tuningOf = ({ tuning }: Pick<MaskNetworkDescriptor, 'tuning'>): MaskTuning => ({
  ...byDefault,
  ...tuning,
});
