/** Measurements of a photo's noise and of its traces of lossy compression. */

export interface Noise {
  /** Standard deviation in each colour, in levels of 255. */
  deviation: number;
  /**
   * Standard deviation, in pixels, of the Gaussian that makes white noise as soft as this noise; 0: white.
   */
  softnessPx: number;
}

export interface Damage extends Noise {
  /** On libjpeg's scale, 1-100; absent: no trace of lossy compression. */
  jpegQuality?: number;
  /** Source of the quality. */
  toldBy: 'tables' | 'header' | 'pixels' | 'nothing';
  /** Relative excess of steps across borders of 8 x 8 blocks over other steps: 0 equal, 1 twice as large. */
  blockiness: number;
}
