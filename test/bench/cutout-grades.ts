/**
 * Whether `good` is a promise: how many of the pictures that are called good have a low intersection over union, with
 * the shipped limits and by cross-validation, each set with the limits that are right for the other one.
 */
import { shippedTuning } from '../support/networks-masks.ts';
import type { Found } from './cutout-scores.ts';

interface GoodLimits {
  doubt: number;
  border: number;
}

const doubts = Array.from({ length: 40 }, (_, i) => (i + 1) / 1000);
const borders = [0.01, 0.02, 0.05, 0.08, 0.1, 0.12, 0.15, 0.25, 1];

const isWithin =
  ({ doubt, border }: GoodLimits) =>
  (one: Found) =>
    one.doubt <= doubt && one.border <= border;

/** The widest limits within which every picture has an intersection over union of 0.9. */
function calibrated(found: readonly Found[]): GoodLimits {
  let best = { doubt: 0, border: 0, count: 0 };
  for (const doubt of doubts)
    for (const border of borders) {
      const good = found.filter(isWithin({ doubt, border }));
      if (good.length <= best.count || good.some(({ overlap }) => overlap < 0.9)) continue;
      best = { doubt, border, count: good.length };
    }
  return best;
}

const columnsOf = (good: readonly Found[], all: readonly Found[]): string[] => [
  `${good.length} of ${all.length}`,
  ...[0.9, 0.8].map((least) => String(good.filter(({ overlap }) => overlap < least).length)),
];

/** Rows: the limits' origin, pictures called good, those of them under 0.9 and under 0.8. */
export function gradeRows(sets: ReadonlyMap<string, readonly Found[]>): string[][] {
  const all = [...sets.values()].flat();
  const rows = [...sets].map(([name, found]) => [
    `${name}, as shipped`,
    ...columnsOf(
      found.filter(({ grade }) => grade === 'good'),
      found,
    ),
  ]);
  const crossed: Found[] = [];
  for (const [name, found] of sets) {
    const others = [...sets].filter(([other]) => other !== name).flatMap(([, one]) => [...one]);
    const limits = calibrated(others);
    const good = found.filter(isWithin(limits));
    crossed.push(...good);
    const { doubt, border } = limits;
    rows.push([`${name}, by the others: ${doubt}, ${border}`, ...columnsOf(good, found)]);
  }
  rows.push(['cross-validated', ...columnsOf(crossed, all)]);
  const { goodDoubt, goodBorder } = shippedTuning;
  rows.push([
    `all, as shipped: ${goodDoubt}, ${goodBorder}`,
    ...columnsOf(
      all.filter(({ grade }) => grade === 'good'),
      all,
    ),
  ]);
  return rows;
}
