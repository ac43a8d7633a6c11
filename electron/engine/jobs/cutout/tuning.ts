/** Tuning values of each mask network, found by experiment. */
import { Value } from 'typebox/value';
import { MaskTuning, type MaskNetworkDescriptor } from '../../../contract/models/model.ts';

/** For values missing in a descriptor, such as an imported network's. */
const defaultTuning = Value.Default(MaskTuning, {}) as MaskTuning;

export const tuningOf = ({ tuning }: Pick<MaskNetworkDescriptor, 'tuning'>): MaskTuning => ({
  ...defaultTuning,
  ...tuning,
});
