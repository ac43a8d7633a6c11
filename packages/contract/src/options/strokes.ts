/** Brush strokes that mark subject and background where the network failed. */
import { Type, type Static } from 'typebox';
import { named, oneOf } from '../common.ts';

const strokeKinds = ['keep', 'remove'] as const;
export type StrokeKind = (typeof strokeKinds)[number];

/** Beyond 0..1, since a brush may leave the picture. */
const Share = Type.Number({ minimum: -1, maximum: 2 });

export const Stroke = named('Stroke', {
  kind: oneOf(strokeKinds, {
    description: 'keep: the painted area belongs to the subject; remove: to the background.',
  }),
  radius: Type.Number({
    exclusiveMinimum: 0,
    maximum: 0.25,
    description: "Brush radius as a fraction of the upright photo's longer side.",
  }),
  hardness: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: 100,
      description:
        'Paints exactly the area under the brush: 100 with a hard edge, less with a soft one that begins at that share of the radius. Absent: the stroke follows edges of the photo.',
    }),
  ),
  selects: Type.Optional(
    oneOf(['object', 'box'], {
      description:
        'object: selects the whole object that the stroke touches, if the model takes clicks and the stroke has no hardness. box: a box between the first and the last point, whose radius is not used; one that keeps makes all outside it background and cuts out what it holds, further ones add what they hold, and one that removes takes that away. Boxes are applied before all other strokes, with any model. Absent: the stroke stays within its width.',
    }),
  ),
  points: Type.Array(Type.Tuple([Share, Share]), {
    minItems: 1,
    maxItems: 1000,
    description:
      "Path of the brush: x and y from the upper left corner, as fractions of the photo's width and height.",
  }),
});
export type Stroke = Static<typeof Stroke>;

const Inside = Type.Number({ minimum: 0, maximum: 1 });

/** A click on something that belongs to the subject, or does not. */
export const StrokePoint = named('StrokePoint', {
  kind: oneOf(strokeKinds, {
    description: 'keep: the object at the point belongs to the subject; remove: to the background.',
  }),
  x: Inside,
  y: Inside,
});
export type StrokePoint = Static<typeof StrokePoint>;

export const maxStrokes = 200;

export const Points = Type.Array(StrokePoint, {
  maxItems: maxStrokes,
  description:
    "Clicks, x and y from the upper left corner as fractions of the photo's width and height. Each keeps or removes the whole object at the point if the model takes clicks, a spot otherwise. Applied before strokes; the task lists them as strokes of one point.",
});

/** Radius of the spot that a click paints, as a share of the photo's longer side. */
const pointRadius = 0.005;

/** Points as strokes. */
export const strokesOf = (points: readonly StrokePoint[]): Stroke[] =>
  points.map(({ kind, x, y }) => ({
    kind,
    radius: pointRadius,
    selects: 'object',
    points: [[x, y]],
  }));

/** A box as a stroke, in shares of the photo's width and height. */
export const boxStroke = (
  kind: StrokeKind,
  { x, y, width, height }: Record<'x' | 'y' | 'width' | 'height', number>,
): Stroke => ({
  kind,
  radius: pointRadius,
  selects: 'box',
  points: [
    [x, y],
    [x + width, y + height],
  ],
});

export const Strokes = Type.Array(Stroke, {
  maxItems: maxStrokes,
  description:
    "Applied in order over the network's mask; hard strokes after those that follow edges. Boxes come first, then those that select objects.",
});
