/** Keeps the size that a person chose where a task was not made by it. Pure. */
import { pickDefined } from '../../../packages/contract/src/pick-defined.ts';
import type { Choices } from '../../../packages/contract/src/settings/page.ts';
import { enlarges } from './choices.ts';
import { isSizedByCanvas } from './fit-to-photo.ts';

const names = [
  ...(['sizing', 'scale', 'sidePx', 'megapixels'] as const),
  ...(['printPaper', 'printSide', 'printMillimetres', 'printPpi'] as const),
];

/** The choices of a task; those before have the size of a cut-out alone, and of one whose canvas decided how far it grew. */
export const withOwnSize = (made: Choices, before: Choices): Choices =>
  enlarges(made) && !isSizedByCanvas(made) ? made : { ...made, ...pickDefined(before, names) };
