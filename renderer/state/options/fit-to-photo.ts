/** Completes choices by a photo's size: how much it is enlarged for its canvas, which of its edges fills the paper. */
import type { Size } from '../../../packages/contract/src/geometry.ts';
import type { Choices } from '../../../packages/contract/src/settings/page.ts';
import { fillPaper } from './paper.ts';

/** What knows a photo's size. */
export interface SizeFacts {
  readonly record?: { readonly input?: Size | undefined } | undefined;
  readonly estimate?: { readonly input?: Size | undefined } | undefined;
  readonly sourceSize?: Size | undefined;
}

/** Undefined until the photo was opened. */
export const photoSizeOf = ({ record, estimate, sourceSize }: SizeFacts): Size | undefined =>
  record?.input ?? estimate?.input ?? sourceSize;

/** Whether the canvas decides if a photo is enlarged, and how much. */
export const isSizedByCanvas = ({ operation, isOnCanvas, isEnlarged }: Choices): boolean =>
  operation === 'remove-bg' && isOnCanvas && isEnlarged;

/** Factor by which a photo grows until it touches two sides of the canvas. */
const growthFor = ({ canvasWidth, canvasHeight }: Choices, { width, height }: Size): number =>
  Math.min(canvasWidth / width, canvasHeight / height);

export const isBelowCanvas = (choices: Choices, size: Size): boolean =>
  growthFor(choices, size) > 1;

/** Larger scales draw details that nobody asked a canvas for. */
const canvasScales = [2, 4, 8] as const;

/** Whether a photo's size decides about its request. */
export const dependsOnSize = (choices: Choices): boolean =>
  isSizedByCanvas(choices) || (choices.sizing === 'print' && choices.printPaper !== '');

/** The choices for a photo of this size. */
export function fitToPhoto(choices: Choices, size: Size | undefined): Choices {
  if (!isSizedByCanvas(choices)) return fillPaper(choices, size);
  if (size === undefined) return choices;
  const growth = growthFor(choices, size);
  if (growth <= 1) return { ...choices, isEnlarged: false };
  const scale = canvasScales.find((one) => one >= growth) ?? 8;
  return { ...choices, sizing: 'scale', scale };
}
