/** The options that are set beside the brush: of a cut-out's edge, and of where an enlargement uses the model. Pure. */
import { keysOf, pickDefined } from '../../../packages/contract/src/pick-defined.ts';
import type { AmountMask, RequestFields } from '../../../packages/contract/src/request.ts';

export interface CutoutEdge {
  /** Width in pixels of the source. */
  feather: number;
  /** Percent. */
  decontaminate: number;
}

export interface AmountOptions {
  /** Percent of the model's result. */
  amount: number;
  /** The area before strokes change it. */
  amountMask: AmountMask;
}

export type Adjustments = CutoutEdge & AmountOptions;

const defaultEdge: CutoutEdge = { feather: 0, decontaminate: 100 };
const defaultArea: AmountOptions = { amount: 100, amountMask: 'everywhere' };

export const edgeNames = keysOf(defaultEdge);
export const areaNames = keysOf(defaultArea);

/** The adjustments that a task was given. */
export const adjustmentsOf = (options: RequestFields): Adjustments => ({
  ...defaultEdge,
  ...defaultArea,
  ...pickDefined(options, [...edgeNames, ...areaNames]),
});
