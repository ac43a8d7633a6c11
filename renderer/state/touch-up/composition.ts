/**
 * Composes a cut-out as the settings say, from the screen's copy of the photo and its mask, before anything is run
 * again. Where the subject stands follows the engine's own rule.
 */
import type { Rect, Size } from '../../../packages/contract/src/geometry.ts';
import type { Choices } from '../../../packages/contract/src/settings/page.ts';
import { placeSubject, type Placement } from '../../../packages/painting/src/index.ts';
import type { DisplayCopy } from '../touch-up/live-mask.ts';

/** Settings of a cut-out's composition, which do not change the mask. */
const composing = [
  'background',
  'backgroundImage',
  'shadow',
  'isOnCanvas',
  'canvasWidth',
  'canvasHeight',
  'subjectScale',
  'positionX',
  'positionY',
  'isCropped',
  'cropMargin',
] as const satisfies readonly (keyof Choices)[];

/** Whether the settings would compose a photo in another way than it was. */
export function isComposedAnew(made: Choices, wanted: Choices): boolean {
  if (wanted.operation !== 'remove-bg' || wanted.maskOnly || made.maskOnly) return false;
  return composing.some((name) => made[name] !== wanted[name]);
}

interface ComposedPhoto {
  readonly phase: string;
  readonly choices: Choices;
  readonly versions: { readonly draft: Choices | undefined };
}

/** The settings by which a finished cut-out is shown as they would compose it; undefined where it is shown as made. */
export function recomposedBy({ phase, choices, versions }: ComposedPhoto): Choices | undefined {
  const { draft } = versions;
  const isMade = phase === 'FINISHED' && choices.operation === 'remove-bg';
  return isMade && draft !== undefined && isComposedAnew(choices, draft) ? draft : undefined;
}

/** A pixel counts as the subject's from this level of the mask on. */
const seenFrom = 13;
/** Least share of a row or column that the subject covers; single specks are ignored. */
const minShare = 0.002;

type MaskImage = Pick<DisplayCopy, 'width' | 'height' | 'mask'>;

/** The box of the subject in pixels of the copy; undefined where nothing is left of the photo. */
export function subjectBox({ width, height, mask }: MaskImage): Rect | undefined {
  const columns = new Uint32Array(width);
  const rows = new Uint32Array(height);
  mask.forEach((level, at) => {
    if (level < seenFrom) return;
    const x = at % width;
    const y = (at - x) / width;
    columns[x] = (columns[x] ?? 0) + 1;
    rows[y] = (rows[y] ?? 0) + 1;
  });
  const across = spanOf(columns, Math.max(1, minShare * height));
  const down = spanOf(rows, Math.max(1, minShare * width));
  return across && down && { x: across[0], y: down[0], width: across[1], height: down[1] };
}

function spanOf(counts: Uint32Array, least: number): [start: number, length: number] | undefined {
  const start = counts.findIndex((count) => count >= least);
  const last = counts.findLastIndex((count) => count >= least);
  return start < 0 ? undefined : [start, last - start + 1];
}

/** Where the part of the photo stands on its canvas, in pixels of a photo of `photo`'s size. */
export function planComposition(
  copy: MaskImage,
  photo: Size,
  choices: Choices,
): Placement | undefined {
  const { isOnCanvas, isCropped, cropMargin } = choices;
  const whole = { x: 0, y: 0, ...photo };
  if (!isOnCanvas && !isCropped) return { canvas: photo, part: whole, target: whole, factor: 1 };
  const box = subjectBox(copy);
  if (box === undefined) return undefined;
  const scale = photo.width / copy.width;
  const part = widened(scaled(box, scale), isCropped ? cropMargin : 0, photo);
  return placeSubject(part, photo, {
    ...(isCropped && { crop: cropMargin }),
    ...(isOnCanvas && {
      canvas: { width: choices.canvasWidth, height: choices.canvasHeight },
      subjectScale: choices.subjectScale,
      position: { x: choices.positionX, y: choices.positionY },
    }),
  });
}

const scaled = ({ x, y, width, height }: Rect, by: number): Rect => ({
  x: Math.floor(x * by),
  y: Math.floor(y * by),
  width: Math.ceil(width * by),
  height: Math.ceil(height * by),
});

function widened({ x, y, width, height }: Rect, percent: number, photo: Size): Rect {
  const margin = Math.round((percent / 100) * Math.max(width, height));
  const [left, top] = [Math.max(0, x - margin), Math.max(0, y - margin)];
  return {
    x: left,
    y: top,
    width: Math.min(photo.width, x + width + margin) - left,
    height: Math.min(photo.height, y + height + margin) - top,
  };
}
