/** Compares the colour histograms of the subject and its surroundings, as a mask tells them apart. It is pure. */
import type { Colours, Plane } from '../../../raster/planes/plane.ts';

/** The histograms have this many levels of each of red, green and blue. */
const levels = 12;
/** This many pixels of the whole picture's colours are added to each side, so that rare ones do not decide. */
const commonPixels = 500;

/**
 * Answers for each pixel the log ratio of how often its colour is the subject's and the surroundings'. The
 * colours are 0..1 and have the mask's size.
 */
export function colourRatios(mask: Plane, colours: Colours): Float32Array {
  const bins = binsOf(colours);
  const count = (weightOf: (value: number) => number) => {
    const counts = new Float64Array(levels ** 3);
    for (let at = 0; at < bins.length; at += 1) {
      const bin = bins[at] as number;
      counts[bin] = (counts[bin] as number) + weightOf(mask.data[at] as number);
    }
    return blurred(counts);
  };
  const [subject, others] = [count((value) => value), count((value) => 1 - value)];
  const [ofSubject, ofOthers] = [sum(subject), sum(others)];
  const ratios = subject.map((own, bin) => {
    const other = others[bin] as number;
    const common = (commonPixels * (own + other)) / (ofSubject + ofOthers);
    if (common === 0) return 0;
    return Math.log(
      ((own + common) * (ofOthers + commonPixels)) /
        ((other + common) * (ofSubject + commonPixels)),
    );
  });
  const found = new Float32Array(bins.length);
  for (let at = 0; at < bins.length; at += 1) found[at] = ratios[bins[at] as number] as number;
  return found;
}

function binsOf([{ data: red }, { data: green }, { data: blue }]: Colours): Uint16Array {
  const bins = new Uint16Array(red.length);
  for (let at = 0; at < bins.length; at += 1) {
    const [ofRed, ofGreen] = [levelOf(red[at] as number), levelOf(green[at] as number)];
    bins[at] = (ofRed * levels + ofGreen) * levels + levelOf(blue[at] as number);
  }
  return bins;
}

/**
 * Answers how much of the subject's colours its surroundings have, too: the intersection of both histograms
 * (Swain and Ballard 1991), 0 to 1. It is 0 where there is no subject or no surroundings.
 */
export function likenessOf(mask: Plane, colours: Colours): number {
  const subject = new Float64Array(levels ** 3);
  const others = new Float64Array(levels ** 3);
  const bins = binsOf(colours);
  for (let at = 0; at < bins.length; at += 1) {
    const bin = bins[at] as number;
    const value = mask.data[at] as number;
    subject[bin] = (subject[bin] as number) + value;
    others[bin] = (others[bin] as number) + 1 - value;
  }
  const [ofSubject, ofOthers] = [sum(subject), sum(others)];
  if (ofSubject === 0 || ofOthers === 0) return 0;
  return subject.reduce(
    (shared, own, bin) => shared + Math.min(own / ofSubject, (others[bin] as number) / ofOthers),
    0,
  );
}

const levelOf = (value: number) => Math.min(Math.max(Math.floor(value * levels), 0), levels - 1);

const sum = (values: Float64Array) => values.reduce((total, value) => total + value, 0);

/** Blurs a histogram: half of each count is added to its neighbours in red, then in green, then in blue. */
function blurred(counts: Float64Array): Float64Array {
  let own = counts;
  for (const step of [1, levels, levels * levels]) {
    const before = own;
    own = before.map((value, bin) => {
      const level = Math.floor(bin / step) % levels;
      const below = level > 0 ? (before[bin - step] as number) : 0;
      const above = level + 1 < levels ? (before[bin + step] as number) : 0;
      return value + (below + above) / 2;
    });
  }
  return own;
}
