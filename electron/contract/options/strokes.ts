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
  points: Type.Array(Type.Tuple([Share, Share]), {
    minItems: 1,
    maxItems: 1000,
    description:
      "Path of the brush: x and y from the upper left corner, as fractions of the photo's width and height.",
  }),
});
export type Stroke = Static<typeof Stroke>;

export const Strokes = Type.Array(Stroke, {
  maxItems: 200,
  description:
    "Applied in order over the network's mask; hard strokes after those that follow edges.",
});
