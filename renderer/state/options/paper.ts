/** Papers that prints are made for, as choices hold them: both sides in millimetres, the shorter one first. Pure. */
import type { Size } from '../../../packages/contract/src/geometry.ts';
import { printTemplate } from '../../../packages/contract/src/naming.ts';
import { millimetresIn, unitOfPrint } from '../../../packages/contract/src/options/print-size.ts';
import type { Choices } from '../../../packages/contract/src/settings/page.ts';

/** Papers by the unit in which people name them. */
export const papers = {
  cm: [
    ...['100x150', '130x180', '200x300', '300x400', '400x500', '500x700'],
    ...['210x297', '297x420', '420x594'],
  ],
  in: ['101.6x152.4', '127x177.8', '203.2x254', '279.4x355.6', '406.4x508'],
} as const;

const isoNames: Readonly<Record<string, string>> = {
  '210x297': 'A4',
  '297x420': 'A3',
  '420x594': 'A2',
};

/** Both sides in millimetres. */
export const sidesOf = (paper: string): [short: number, long: number] => {
  const [short = 0, long = 0] = paper.split('x').map(Number);
  return [short, long];
};

interface NamedPaper {
  /** Name of a standard size, such as "A4". */
  iso?: string | undefined;
  unit: keyof typeof papers;
  /** Sides in that unit. */
  sides: readonly number[];
}

export function namedPaper(paper: string): NamedPaper {
  const unit = (papers.in as readonly string[]).includes(paper) ? 'in' : 'cm';
  const sides = sidesOf(paper).map((side) => Number((side / millimetresIn[unit]).toFixed(2)));
  return { iso: isoNames[paper], unit, sides };
}

/** Name for files: "A4", "30x40cm", "8x10in". */
export function paperName(paper: string): string {
  const { iso, unit, sides } = namedPaper(paper);
  return iso ?? `${sides.join('x')}${unit}`;
}

const known: readonly string[] = Object.values(papers).flat();
export const paperNamed = (name: string): string | undefined =>
  known.find((paper) => paperName(paper) === name);

/**
 * The side of a print that makes a photo cover the paper, upright or lying as the photo is; the long one where its size
 * is unknown.
 */
export function fillPaper(choices: Choices, size: Size | undefined): Choices {
  if (choices.sizing !== 'print' || choices.printPaper === '') return choices;
  const [short, long] = sidesOf(choices.printPaper);
  const { width, height } = size ?? { width: short, height: long };
  const isSlim = Math.max(width, height) * short >= Math.min(width, height) * long;
  return isSlim
    ? { ...choices, printSide: 'shortEdge', printMillimetres: short }
    : { ...choices, printSide: 'longEdge', printMillimetres: long };
}

/** How far a photo sticks out of the paper that it covers, in millimetres. */
export function overhang(paper: string, { width, height }: Size): number {
  const [short, long] = sidesOf(paper);
  const [least, most] = [Math.min(width, height), Math.max(width, height)];
  const factor = Math.max(short / least, long / most);
  return Math.max(least * factor - short, most * factor - long);
}

/** Name template of a print: both sides as printed for a paper, of one length `{name}-40cm`, `{name}-16in`. */
export function templateOfPrint({ printPaper, printMillimetres }: Choices): string {
  if (printPaper !== '') return printTemplate;
  const unit = unitOfPrint(printMillimetres);
  return `{name}-${Number((printMillimetres / millimetresIn[unit]).toFixed(2))}${unit}`;
}

/** Earlier templates named the paper. */
const template = /^\{name\}-(?:[\d.]+(?:cm|in)|(.+))$/;

/** The paper of a template that the page made, '' for one of a length; undefined for any other template. */
export function paperOfTemplate({ name, ...choices }: Choices): string | undefined {
  if (name === printTemplate) return paperOfSide(choices);
  const found = template.exec(name);
  if (found === null) return undefined;
  return found[1] === undefined ? '' : paperNamed(found[1]);
}

const paperOfSide = ({ printSide, printMillimetres }: Omit<Choices, 'name'>) =>
  known.find((paper) => sidesOf(paper)[printSide === 'shortEdge' ? 0 : 1] === printMillimetres);
