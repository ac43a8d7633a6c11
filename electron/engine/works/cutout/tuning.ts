/** What was found by trying for each mask network. */
import { Value } from 'typebox/value';
import { MaskTuning, type MaskNetworkDescriptor } from '../../../contract/model.ts';

/** Of a network that says nothing, such as one that was imported. */
const byDefault = Value.Default(MaskTuning, {}) as MaskTuning;

export const tuningOf = ({ tuning }: Pick<MaskNetworkDescriptor, 'tuning'>): MaskTuning => ({
  ...byDefault,
  ...tuning,
});
