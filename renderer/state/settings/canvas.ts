/** Names the canvases that shops ask for, and finds the one that choices have. It is pure. */
import type { Choices } from '../../../electron/contract/settings/page.ts';

export const canvasSizes = {
  square: { width: 2000, height: 2000 },
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

/** A picture as shops ask for it: the subject large in the middle of a white square. */
export const shopPicture: Partial<Choices> = {
  ...sizeOfCanvas('square'),
  background: '#ffffff',
  format: 'jpeg',
  backgroundImage: '',
  subjectScale: 85,
  positionX: 50,
  positionY: 50,
  isCropped: false,
  maskOnly: false,
};
