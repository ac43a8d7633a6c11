/** Notes on what was done to a result after its comparison with the photo. Clients find them among stored notes. */

/** @param steps as words, such as `sharpening and grain` */
export const measuredBefore = (steps: string): string =>
  `How much the network changed the photo was measured before ${steps}.`;

/** As `measuredBefore`, for a result that was corrected until it lay within so many levels of the photo. */
export const heldBefore = (steps: string, levels: number): string =>
  `It was held to the photo before ${steps}, so the file may differ from it by more than ${levels} level.`;

const sentences = /^(?:How much the network changed the photo|It was held to the photo before) /;

/** Whether a note follows from what was asked for, sharpening or grain for example, and says nothing of the picture. */
export const isComparisonNote = (note: string): boolean => sentences.test(note);
