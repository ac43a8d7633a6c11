/** Decides which pictures the stage shows for a photo and where, whole or in tiles that the service cuts. */
import { isShownByBrowsers } from '../../../packages/contract/src/formats.ts';
import type { PictureSide } from '../../../packages/contract/src/picture.ts';
import type { TaskOperation } from '../../../packages/contract/src/request.ts';
import type { Choices } from '../../../packages/contract/src/settings/page.ts';
import type { PictureInfo, PicturePart } from '../../../packages/contract/src/task.ts';
import type { Photo, PixelSize } from '../photo/photo.svelte.ts';
import type { Point } from './viewport.svelte.ts';

/**
 * A picture with more pixels comes in tiles, because decoded it takes four bytes a pixel, and twice as many
 * while it is drawn.
 */
const maxWholePixels = 40_000_000;
/** The limit is higher for a file of this page, which has no tiles before it is submitted. */
const maxFilePixels = 100_000_000;

/** `preview` is a small picture for the time until the first tiles are there. */
export type Shown =
  | { readonly kind: 'whole'; readonly link: string }
  | {
      readonly kind: 'tiles';
      readonly side: PictureSide;
      readonly taskId: string;
      readonly preview: string | undefined;
    };

/** What decides which pictures a photo has. */
export type PictureFacts = Pick<
  Photo,
  'taskId' | 'phase' | 'sourceSize' | 'isFileBroken' | 'view'
> & {
  readonly record?:
    | {
        readonly imageUrl?: string;
        readonly thumbUrl?: string;
        readonly sourceThumbUrl?: string;
        readonly options: { readonly crop?: number };
        readonly crop?: PicturePart;
        readonly input?: Pick<PictureInfo, 'format' | 'width' | 'height'>;
        readonly output?: Pick<PictureInfo, 'format' | 'width' | 'height'>;
      }
    | undefined;
};

/** Returns the picture of the result, once there is one. */
export function resultPicture({ taskId, record }: PictureFacts): Shown | undefined {
  const { imageUrl, thumbUrl, output } = record ?? {};
  if (taskId === undefined || imageUrl === undefined || output === undefined) return undefined;
  const isWhole =
    isShownByBrowsers(output.format) && output.width * output.height <= maxWholePixels;
  if (isWhole) return { kind: 'whole', link: imageUrl };
  return { kind: 'tiles', side: 'result', taskId, preview: thumbUrl };
}

/** Whether the stage shows the photo's file before it is submitted, so that no view of the service is needed. */
export function showsOwnFile({
  file,
  isFileBroken,
  sourceSize,
}: Pick<Photo, 'file' | 'isFileBroken' | 'sourceSize'>): boolean {
  return file !== undefined && !isFileBroken && pixelsOf(sourceSize) <= maxFilePixels;
}

const pixelsOf = (size: PixelSize | undefined) =>
  size === undefined ? 0 : size.width * size.height;

/** Returns the picture of the source: this page's file where the browser shows it, or the service's picture. */
export function sourcePicture(
  photo: PictureFacts,
  fileLink: string | undefined,
): Shown | undefined {
  const { taskId, record } = photo;
  const pixels = pixelsOf(record?.input ?? photo.sourceSize);
  const most = taskId === undefined ? maxFilePixels : maxWholePixels;
  if (fileLink !== undefined && !photo.isFileBroken && pixels <= most)
    return { kind: 'whole', link: fileLink };
  if (taskId === undefined)
    return photo.view === undefined ? undefined : { kind: 'whole', link: photo.view };
  // The view from before the start is there at once, and sharper.
  return { kind: 'tiles', side: 'source', taskId, preview: photo.view ?? record?.sourceThumbUrl };
}

/** Whether the service is still to make a view of a photo that is not started, which this page cannot show itself. */
export function isViewComing(
  photo: Pick<Photo, 'taskId' | 'file' | 'isFileBroken' | 'isViewless' | 'sourceSize'>,
): boolean {
  return photo.taskId === undefined && !showsOwnFile(photo) && !photo.isViewless;
}

/** Whether it is known which part of the photo the result shows, so that one can lie over the other. */
export function isSamePart({ record }: PictureFacts): boolean {
  return record?.options.crop === undefined || record.crop !== undefined;
}

/** Returns the part of the source that the stage shows. */
export function shownPart({ record }: PictureFacts, { width, height }: PixelSize): PicturePart {
  return record?.crop ?? { x: 0, y: 0, width, height };
}

/** Returns where the whole source lies when its part takes the given place. */
export function placeOfWhole(
  place: PicturePlacement,
  part: PicturePart,
  source: PixelSize,
): PicturePlacement {
  return placeOfOther(place, part, { x: 0, y: 0, ...source });
}

/** Returns where a part lies when the whole source takes the given place. */
export function placeOfPart(
  place: PicturePlacement,
  part: PicturePart,
  source: PixelSize,
): PicturePlacement {
  return placeOfOther(place, { x: 0, y: 0, ...source }, part);
}

/** Returns where another part of the source lies when `shown` takes the place. */
export function placeOfOther(
  place: PicturePlacement,
  shown: PicturePart,
  other: PicturePart,
): PicturePlacement {
  const { frame, width, height, offset } = place;
  const [across, down] = [width / shown.width, height / shown.height];
  const [from, to] = [middleOf(shown), middleOf(other)];
  return {
    frame,
    width: other.width * across,
    height: other.height * down,
    offset: { x: offset.x + (to.x - from.x) * across, y: offset.y + (to.y - from.y) * down },
  };
}

/**
 * Returns where another part of the source lies, drawn as large as `like`, that has the same spot of the source in the
 * frame's middle: the subjects of two cut-outs of one size are reduced a little differently.
 */
export function placeAlike(
  place: PicturePlacement,
  shown: PicturePart,
  other: PicturePart,
  like: PicturePart,
): PicturePlacement {
  const { frame, width, height, offset } = placeOfOther(place, shown, like);
  const [from, to] = [middleOf(like), middleOf(other)];
  return {
    frame,
    width,
    height,
    offset: {
      x: ((to.x - from.x) * width + offset.x * like.width) / other.width,
      y: ((to.y - from.y) * height + offset.y * like.height) / other.height,
    },
  };
}

const middleOf = ({ x, y, width, height }: PicturePart) => ({
  x: x + width / 2,
  y: y + height / 2,
});

/** What decides how many of a result's pixels a pixel of its source will have along a side. */
export interface ScaleFacts {
  readonly sourceSize?: PixelSize | undefined;
  readonly choices: Pick<Choices, 'operation' | 'sizing' | 'scale'>;
  readonly estimate?: { readonly width: number } | undefined;
  readonly record?:
    | {
        readonly operation: TaskOperation;
        readonly options: { readonly scale?: number };
        readonly estimate?: { readonly width?: number };
        readonly input?: { readonly width: number };
      }
    | undefined;
}

/** Returns the scale of a coming enlargement, before and after its start, and 1 for a cut-out. */
export function plannedScale({ sourceSize, choices, estimate, record }: ScaleFacts): number {
  if ((record ?? choices).operation !== 'upscale') return 1;
  const known = record
    ? record.options.scale
    : choices.sizing === 'scale'
      ? choices.scale
      : undefined;
  if (known !== undefined) return known;
  const from = record?.input?.width ?? sourceSize?.width;
  const to = (record?.estimate ?? estimate)?.width;
  return from && to ? to / from : 1;
}

/** A picture's place in its frame is in CSS pixels, and the offset from the frame's centre to the picture's. */
export interface PicturePlacement {
  readonly frame: PixelSize;
  readonly width: number;
  readonly height: number;
  readonly offset: Point;
}

/** Returns the upper left corner of a picture in its frame, in CSS pixels. */
export const cornerOf = ({ frame, width, height, offset }: PicturePlacement): Point => ({
  x: (frame.width - width) / 2 + offset.x,
  y: (frame.height - height) / 2 + offset.y,
});

/** Makes the address of a tile from the pattern of its set. */
export function tileLink(url: string, level: number, column: number, row: number): string {
  const place = { '{level}': level, '{column}': column, '{row}': row };
  return Object.entries(place).reduce((link, [name, at]) => link.replace(name, String(at)), url);
}
