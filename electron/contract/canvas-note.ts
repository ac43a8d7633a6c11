/** The note on a subject that was stretched to fill its canvas. Clients read the figure out of stored notes. */

export const canvasNote = (factor: number): string =>
  `The subject was stretched ${factor.toFixed(1)} times for its canvas and may look soft. For more detail, enlarge the photo further or choose a smaller canvas.`;

const sentence = /^The subject was stretched (\d+\.\d) times/;

/** Returns undefined for other notes. */
export function readCanvasNote(note: string): number | undefined {
  const factor = sentence.exec(note)?.[1];
  return factor === undefined ? undefined : Number(factor);
}
