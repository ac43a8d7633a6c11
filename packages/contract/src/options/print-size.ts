/** Print size: length of a side on paper, and pixels per inch. */
import { Type, type Static } from 'typebox';
import { named, oneOf } from '../common.ts';

export const printSides = ['longEdge', 'shortEdge', 'width', 'height'] as const;

export const millimetresIn = { cm: 10, in: 25.4 } as const;

export const PrintSize = named(
  'PrintSize',
  {
    side: oneOf(printSides),
    millimetres: Type.Number({
      exclusiveMinimum: 0,
      maximum: 100_000,
      description: 'Length of that side on paper.',
    }),
    ppi: Type.Integer({
      minimum: 10,
      maximum: 4800,
      description: "Pixels per inch, also written into the result's resolution tags.",
    }),
  },
  { description: 'Print size, in place of scale. The other side follows from the proportions.' },
);
export type PrintSize = Static<typeof PrintSize>;

/** Pixels of the named side, at least 1. */
export function pixelsOfPrint({ millimetres, ppi }: Omit<PrintSize, 'side'>): number {
  return Math.max(1, Math.round((millimetres / millimetresIn.in) * ppi));
}

/** The unit in which a length was likely set: inches for a multiple of a quarter of one. */
export function unitOfPrint(millimetres: number): keyof typeof millimetresIn {
  const quarters = (4 * millimetres) / millimetresIn.in;
  const isRoundInInches = Math.abs(quarters - Math.round(quarters)) < 0.01;
  return millimetres % 5 !== 0 && isRoundInInches ? 'in' : 'cm';
}

/** Length on paper of a side of `sidePx` pixels. */
export function lengthOfPrint(
  sidePx: number,
  { ppi, unit }: { ppi: number; unit: keyof typeof millimetresIn },
): number {
  return ((sidePx / ppi) * millimetresIn.in) / millimetresIn[unit];
}

/** Pixels per inch of a side of `sidePx` pixels and this length on paper. */
export function ppiOfPrint(sidePx: number, millimetres: number): number {
  return (sidePx / millimetres) * millimetresIn.in;
}
