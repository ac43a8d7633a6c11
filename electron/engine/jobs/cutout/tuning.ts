/** Tuning values of each mask network, found by experiment. */
import { Value } from 'typebox/value';
import {
  MaskTuning,
  type MaskNetworkDescriptor,
  type MaskSize,
} from '../../../contract/models/model.ts';

/** For values missing in a descriptor, such as an imported network's. */
const defaultTuning = Value.Default(MaskTuning, {}) as MaskTuning;

/** From this size on a network sees what it decides about; smaller ones respond faintly to much. */
const decidesFromPx = 512;

/**
 * For large networks without a tuning of their own: what they find is refined, and nothing of it is decided anew. Only a
 * photo in which they find nothing at all has no subject.
 */
const trustingTuning: Partial<MaskTuning> = {
  subjectCertainty: 0,
  partCertainty: 0,
  smallPart: 0,
  smallHole: 0,
  smallSpeck: 0,
  apartDoubt: 1,
  apartBorder: 1,
};

export const tuningOf = ({
  tuning,
  size,
}: Pick<MaskNetworkDescriptor, 'tuning'> & { size?: MaskSize }): MaskTuning => ({
  ...defaultTuning,
  ...(tuning ?? (size && shortSideOf(size) >= decidesFromPx ? trustingTuning : {})),
});

const shortSideOf = (size: MaskSize): number =>
  size.kind === 'fixed' ? Math.min(size.width, size.height) : size.shortSidePx;
