/** Names the canvases that shops ask for, and finds the one that choices have. It is pure. */
import type { Choices } from '../../../packages/contract/src/settings/page.ts';
import { shopPictureOptions } from '../../../packages/contract/src/settings/shop-picture.ts';

export const canvasSizes = {
  square: shopPictureOptions.canvas,
  portrait: { width: 1600, height: 2000 },
  wide: { width: 1920, height: 1080 },
} as const;

type NamedCanvas = keyof typeof canvasSizes;
export type CanvasKind = NamedCanvas | 'none' | 'own';

type CanvasChoices = Pick<Choices, 'isOnCanvas' | 'canvasWidth' | 'canvasHeight'>;

export function canvasOf({ isOnCanvas, canvasWidth, canvasHeight }: CanvasChoices): CanvasKind {
  if (!isOnCanvas) return 'none';
  const found = (Object.keys(canvasSizes) as NamedCanvas[]).find(
    (name) => canvasSizes[name].width === canvasWidth && canvasSizes[name].height === canvasHeight,
  );
  return found ?? 'own';
}

/** Photos that are smaller than a canvas are enlarged for it, unless a person chooses to only cut them out. */
const onCanvas = { isOnCanvas: true, isEnlarged: true } as const;

/** The choices that put the subject on a canvas; a size of its own begins as the one that is set. */
export function sizeOfCanvas(kind: CanvasKind): Partial<Choices> {
  if (kind === 'none') return { isOnCanvas: false };
  if (kind === 'own') return onCanvas;
  const { width, height } = canvasSizes[kind];
  return { ...onCanvas, canvasWidth: width, canvasHeight: height };
}

/** What the preset of this name sets, and back to usual what would make another picture of it. */
export const shopPicture: Partial<Choices> = {
  ...sizeOfCanvas('square'),
  background: '#ffffff',
  format: shopPictureOptions.format,
  quality: shopPictureOptions.quality,
  subjectScale: shopPictureOptions.subjectScale,
  backgroundImage: '',
  positionX: 50,
  positionY: 50,
  isCropped: false,
  maskOnly: false,
};
