/** Views of a task's pictures, previews of models, and further exports of a result. */
import { Type, type Static } from 'typebox';
import {
  type AnyScale,
  anyScales,
  BitDepthChoice,
  closed,
  named,
  oneOf,
  Quality,
} from './common.ts';
import { outputFormats } from './formats.ts';
import { Points, Strokes } from './options/strokes.ts';
import {
  conflictRules,
  finishingChoices,
  metadataChoices,
  OneVersion,
  operations,
} from './request.ts';
import { MeasuredDamage, TaskFailure } from './task.ts';

export const pictureSides = ['source', 'result'] as const;
export const PictureSide = oneOf(pictureSides);
export type PictureSide = (typeof pictureSides)[number];

export const tileFormats = ['jpeg', 'webp', 'png'] as const;

/**
 * Deep-zoom tiles (DZI): full size at `maxLevel`, half the size (rounded up) per level below, one pixel at
 * level 0. sRGB, upright.
 */
export const TileSet = named('TileSet', {
  width: Type.Integer(),
  height: Type.Integer(),
  tileSize: Type.Integer({
    description: 'Side in pixels; tiles at the right and lower border are smaller.',
  }),
  overlap: Type.Integer({ description: 'Pixels shared by neighbouring tiles: 0.' }),
  maxLevel: Type.Integer(),
  format: oneOf(tileFormats),
  url: Type.String({
    description:
      "A tile's address, with {level}, {column} and {row} to be filled in. It needs no key.",
  }),
});
export type TileSet = Static<typeof TileSet>;

export const MaskBody = named('MaskBody', {
  points: Type.Optional(Points),
  strokes: Type.Optional(Strokes),
});
export type MaskBody = Static<typeof MaskBody>;

export const defaultThumbnailPx = 512;
export const ThumbnailBody = named('ThumbnailBody', {
  imageUrl: Type.String({ minLength: 1, description: 'As in a submit.' }),
  sidePx: Type.Optional(
    Type.Integer({
      minimum: 16,
      maximum: 2048,
      default: defaultThumbnailPx,
      description: 'Longer side in pixels; smaller pictures are not enlarged.',
    }),
  ),
});
export type ThumbnailBody = Static<typeof ThumbnailBody>;

export const Thumbnail = named('Thumbnail', {
  imageUrl: Type.String({ description: 'data: URL of an upright WebP in sRGB.' }),
  width: Type.Integer({ description: 'Of the upright source.' }),
  height: Type.Integer({ description: 'Of the upright source.' }),
});
export type Thumbnail = Static<typeof Thumbnail>;

const px = (description: string) => Type.Integer({ minimum: 0, maximum: 10_000_000, description });

/**
 * Side of a preview in source pixels. Smaller for large scales, so that it takes about as long as at 4x; the
 * result still fills a pane at 100 %.
 */
export const previewSidePx: Record<AnyScale, number> = { 1: 256, 2: 256, 4: 256, 8: 96, 16: 64 };
/** Larger for cut-outs: recognising a subject needs its surroundings. */
export const cutoutPreviewSidePx = 768;

/** Position of a preview, in pixels of the upright source. */
export const PreviewBody = named('PreviewBody', {
  imageUrl: Type.Optional(
    Type.String({ minLength: 1, description: 'As in a submit. Either this or taskId.' }),
  ),
  taskId: Type.Optional(
    Type.String({ description: 'A task whose source is still stored, in place of imageUrl.' }),
  ),
  x: px('The middle of the crop, in pixels of the upright source.'),
  y: px('The middle of the crop, in pixels from the top.'),
  operation: Type.Optional(oneOf(operations, { default: 'upscale' })),
  scale: Type.Optional(
    oneOf(anyScales, {
      default: 2,
      description: 'Scale of an enlargement; cut-outs keep their size.',
    }),
  ),
  ...finishingChoices,
  models: Type.Optional(
    Type.Array(Type.String({ minLength: 1, maxLength: 100 }), {
      minItems: 1,
      maxItems: 20,
      description: 'Model ids; absent: all models that can produce the scale.',
    }),
  ),
});
export type PreviewBody = Static<typeof PreviewBody>;

const DataUrl = Type.String({ description: 'data: URL of a PNG in sRGB.' });

export const Preview = named('Preview', {
  model: Type.String(),
  name: Type.String(),
  imageUrl: DataUrl,
  durationMs: Type.Number({ description: 'Milliseconds in the networks.' }),
});
export type Preview = Static<typeof Preview>;

export const PreviewProblem = named('PreviewProblem', {
  model: Type.String(),
  name: Type.String(),
  ...TaskFailure.properties,
});
export type PreviewProblem = Static<typeof PreviewProblem>;

export const Previews = named('Previews', {
  previews: Type.Array(Preview),
  measured: Type.Optional(
    Type.Unsafe<MeasuredDamage>({
      ...Type.Ref('MeasuredDamage#'),
      description: 'Damage measured in the photo, and what was removed.',
    }),
  ),
  problems: Type.Array(PreviewProblem, { description: 'Models that failed, and why.' }),
  source: closed({
    imageUrl: DataUrl,
    x: Type.Integer({ description: "The crop's left edge in the source." }),
    y: Type.Integer({ description: "The crop's upper edge in the source." }),
    width: Type.Integer({
      description: '256; 96 at 8x, 64 at 16x, 768 for cut-outs; less in a smaller picture.',
    }),
    height: Type.Integer({ description: 'Like width.' }),
  }),
});
export type Previews = Static<typeof Previews>;

/** File name of an export. */
const naming = {
  name: Type.Optional(
    Type.String({ minLength: 1, maxLength: 255, description: 'Name template, as in a submit.' }),
  ),
  onConflict: Type.Optional(oneOf(conflictRules)),
};

/** Writes a finished result to another file, without running a network. */
export const ConvertBody = named('ConvertBody', {
  format: oneOf(outputFormats),
  quality: Type.Optional(Quality),
  bitDepth: Type.Optional(BitDepthChoice),
  metadata: Type.Optional(
    oneOf(metadataChoices, {
      description: "Applied to the result's metadata; 'keep' when absent.",
    }),
  ),
  background: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 32,
      description:
        'Colour such as #ffffff that replaces transparency; required for JPEG from a transparent result.',
    }),
  ),
  saveTo: Type.Optional(
    Type.String({ minLength: 1, maxLength: 4096, description: 'A folder that was granted.' }),
  ),
  ...naming,
});
export type ConvertBody = Static<typeof ConvertBody>;

/** Copies a finished result into a folder, unchanged. */
export const SaveBody = named('SaveBody', {
  saveTo: Type.String({
    minLength: 1,
    maxLength: 4096,
    description: "A folder that was granted, '.' for the photo's own or './name' for one in it.",
  }),
  ...naming,
  oneVersion: Type.Optional(OneVersion),
  onlyAccepted: Type.Optional(
    Type.Boolean({
      description:
        'Of an accepted result, with oneVersion: it is taken out again when it is no longer accepted, by the same rules.',
    }),
  ),
});
export type SaveBody = Static<typeof SaveBody>;

export const SaveResult = named('Saved', {
  savedTo: Type.Optional(
    Type.String({
      description: 'Path of the file; absent when the name existed and onConflict is skip.',
    }),
  ),
});
export type SaveResult = Static<typeof SaveResult>;

export const metadataGroups = ['File', 'EXIF', 'GPS', 'IPTC', 'XMP', 'Profile'] as const;
export type MetadataGroup = (typeof metadataGroups)[number];

/** Metadata of source and result by field. A missing side has no such field. */
export const TaskMetadata = named('TaskMetadata', {
  fields: Type.Array(
    closed({
      group: oneOf(metadataGroups),
      name: Type.String({ description: 'Tag name of the standard, such as ExposureTime.' }),
      source: Type.Optional(Type.String()),
      result: Type.Optional(Type.String()),
    }),
  ),
});
export type TaskMetadata = Static<typeof TaskMetadata>;
