/**
 * Decides the uncertain parts of a mask: each becomes subject or surroundings, with the border where the
 * photo has one. Left undecided, such a part would come out half transparent. Each pixel is drawn towards its
 * side by the mask and by its colour (as in Rother et al. 2004), and of all borders between the sides the
 * cheapest is taken. It is pure.
 */
import type { Rect, Size } from '../../../../contract/geometry.ts';
import type { MaskTuning } from '../../../../contract/models/model.ts';
import { colourRatios } from './colour-ratios.ts';
import { borderCosts, leastCut } from './least-cut.ts';
import { cutFrom, eachIn } from './mask-box.ts';
import { logitOf, sigmoid, type Mask } from '../../../tiles/mask-tensor.ts';
import type { YieldTurn } from '../../../cancellation/yield.ts';
import { halve, halveColours, type Colours, type Plane } from '../../../raster/planes/plane.ts';

/** This is a box of a picture as it was shown to the network. */
export interface Seen {
  /** The box is in pixels of the picture. */
  box: Rect;
  colours: Colours;
}

/** The decision is made at this many pixels a side at most; a larger picture is halved. */
const mostPx = 512;

type DecisionTuning = Pick<MaskTuning, 'maskLogit' | 'colourLogit' | 'borderLogit' | LeanTuning>;
type LeanTuning = 'decisionLogit' | 'openLogit' | 'sureLogit';

/**
 * Decides the mask within each box by the colours that were seen there; where boxes overlap, the
 * last one counts. The mask's size stays, and so do its values where they are sure. The function
 * rejects as `yieldTurn` does.
 */
export async function decided(
  mask: Mask,
  places: Seen[],
  picture: Size,
  tuning: DecisionTuning,
  yieldTurn: YieldTurn,
): Promise<Mask> {
  const data = mask.data.slice();
  for (const { box, colours: seen } of places) {
    const colours = halvedTo(seen);
    const guess = cutFrom(halvedFor(mask, box, picture, colours[0]), box, picture, colours[0]);
    const cut = await leastCut(
      guess,
      dataTermOf(guess, colours, tuning),
      borderCosts(colours, tuning.borderLogit),
      yieldTurn,
    );
    eachIn(mask, cut, box, picture, (at, side) => {
      data[at] = leaning(mask.data[at] as number, side, tuning);
    });
  }
  return { ...mask, data };
}

/** Halves the mask until no pixel is skipped when it is sampled at the colours' size. */
function halvedFor(mask: Plane, box: Rect, picture: Size, { width, height }: Size): Plane {
  let own = mask;
  const isTooFine = () =>
    (own.width * box.width) / picture.width >= 2 * width &&
    (own.height * box.height) / picture.height >= 2 * height;
  while (isTooFine()) own = halve(own);
  return own;
}

function halvedTo(colours: Colours): Colours {
  const [{ width, height }] = colours;
  if (Math.max(width, height) <= mostPx) return colours;
  return halvedTo(halveColours(colours));
}

/** Moves a mask's value towards the decided side of its place, which is 0..1. */
function leaning(
  value: number,
  side: number,
  { decisionLogit, openLogit, sureLogit }: DecisionTuning,
): number {
  const logit = logitOf(value);
  const lean = decisionLogit * (2 * side - 1);
  if (logit * lean >= 0) return sigmoid(logit + lean);
  const doubt = (sureLogit - Math.abs(logit)) / (sureLogit - openLogit);
  return sigmoid(logit + lean * Math.min(Math.max(doubt, 0), 1));
}

/** Answers each pixel's data term by mask and colour: it is above 0 for the subject, else below 0. */
function dataTermOf(
  mask: Plane,
  colours: Colours,
  { maskLogit, colourLogit }: DecisionTuning,
): Float32Array {
  const ratios = colourRatios(mask, colours);
  const cut = (logit: number, most: number) => Math.min(Math.max(logit, -most), most);
  return mask.data.map(
    (value, at) => cut(logitOf(value), maskLogit) + cut(ratios[at] as number, colourLogit),
  );
}
