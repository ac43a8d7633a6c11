/** Compares the colour histograms of subject and background. Pure. */
import type { Colours, Plane } from '../../../raster/planes/plane.ts';

/** Histogram levels of each colour. */
const levels = 12;

function binsOf([{ data: red }, { data: green }, { data: blue }]: Colours): Uint16Array {
  const bins = new Uint16Array(red.length);
  for (let at = 0; at < bins.length; at += 1) {
    const [ofRed, ofGreen] = [levelOf(red[at] as number), levelOf(green[at] as number)];
    bins[at] = (ofRed * levels + ofGreen) * levels + levelOf(blue[at] as number);
  }
  return bins;
}

/**
 * Intersection of the colour histograms of subject and background (Swain and Ballard 1991). Mask and colours
 * (0..1) have the same size.
 *
 * @returns 0..1; 0 if there is no subject or no background
 */
export function histogramOverlap(mask: Plane, colours: Colours): number {
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
