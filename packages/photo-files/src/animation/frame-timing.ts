/** How long the frames of an animation are shown. Pure. */

export interface FrameTiming {
  /** Of each frame. */
  delaysMs: readonly number[];
  /** How often the animation is played; 0 for ever. */
  plays: number;
}

/**
 * Rounds to GIF's hundredths of a second, in ms. What one delay loses the next gains, so that the whole takes as
 * long as before.
 */
export function inHundredths(delaysMs: readonly number[]): number[] {
  let [asked, written] = [0, 0];
  return delaysMs.map((delayMs) => {
    asked += delayMs;
    const rounded = 10 * Math.max(0, Math.round((asked - written) / 10));
    written += rounded;
    return rounded;
  });
}
