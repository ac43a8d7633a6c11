/** Tuning values of each mask network, found by experiment. */
import { defaultMaskTuning } from '../../../../packages/contract/src/models/mask-tuning.ts';
import type {
  MaskNetworkDescriptor,
  MaskSize,
  MaskTuning,
} from '../../../../packages/contract/src/models/model.ts';

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
  ...defaultMaskTuning,
  ...(tuning ?? (size && shortSideOf(size) >= decidesFromPx ? trustingTuning : {})),
});

const shortSideOf = (size: MaskSize): number =>
  size.kind === 'fixed' ? Math.min(size.width, size.height) : size.shortSidePx;
