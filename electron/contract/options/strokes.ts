/** Brush strokes that mark subject and background where the network failed. */
import { Type, type Static } from 'typebox';
import { named, oneOf } from '../common.ts';

const strokeKinds = ['keep', 'remove'] as const;
export type StrokeKind = (typeof strokeKinds)[number];

/** Beyond 0..1, since a brush may leave the picture. */
const Share = Type.Number({ minimum: -1, maximum: 2 });

export const Stroke = named('Stroke', {
  kind: oneOf(strokeKinds, { description: 'Whether what is painted belongs to the subject.' }),
  radius: Type.Number({
    exclusiveMinimum: 0,
    maximum: 0.25,
    description: "Of the brush, as a share of the upright photo's longer side.",
  }),
  hardness: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: 100,
      description:
        'Paints exactly what the brush covers, whatever is there: 100 with a sharp edge, less with a soft one, which begins at that share of the radius. Absent: the stroke takes what is like its middle and stops at edges.',
    }),
  ),
  points: Type.Array(Type.Tuple([Share, Share]), {
    minItems: 1,
    maxItems: 1000,
    description:
      "Where the brush went: x and y from the upper left corner, as shares of the photo's width and height.",
  }),
});
export type Stroke = Static<typeof Stroke>;

export const Strokes = Type.Array(Stroke, {
  maxItems: 200,
  description:
    'Painted in their order over what the network finds; hard ones after those that seek edges.',
});
