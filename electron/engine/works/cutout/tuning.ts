/** What was found by trying for each mask network. */
import type { MaskNetworkDescriptor, MaskTuning } from '../../../contract/model.ts';

/** For a network that nobody tried this on, such as one that was imported. */
const untried: MaskTuning = {
  subjectCertainty: 0.7,
  partCertainty: 0.7,
  smallPart: 0.02,
  holeCertainty: 0.6,
  smallHole: 0.003,
  sureHole: 0.1,
  smallSpeck: 0.0003,
  sureSpeck: 0.9,
  smallLook: 0.00025,
  lookMargin: 0.25,
  sureLogit: 4,
  decisionLogit: 5,
  maskLogit: 1.6,
  colourLogit: 1.4,
  outsideBelow: 0.06,
  insideAbove: 0.94,
  edgeReachPx: 2,
  contrast: 1.5,
  beliefPx: 4,
  edgeWeight: 0.001,
  deepWeight: 0.1,
  deepPower: 6,
  apartDoubt: 0.3,
  goodDoubt: 0.03,
  poorDoubt: 0.14,
};

export const tuningOf = ({ tuning = untried }: Pick<MaskNetworkDescriptor, 'tuning'>): MaskTuning =>
  tuning;
