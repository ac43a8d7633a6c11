/** The package's only entry: others import nothing else. */

// What strokes cover.
export {
  boxOf,
  coverage,
  distancesInSteps,
  distancesTo,
  minRadiusPx,
  pathOf,
  type Colours,
  type Plane,
} from './brush-path.ts';
export { coreOf, selectLikeCore } from './seek-edges.ts';

// Where the subject stands.
export { isPlaced, placeSubject, visiblePart, type Placement } from './place-subject.ts';
