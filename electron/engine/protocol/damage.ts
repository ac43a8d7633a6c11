/** Measurements of a photo's noise and of its traces of lossy compression. */

export interface Noise {
  /** Standard deviation in each colour, in levels of 255. */
  deviation: number;
  /**
   * Standard deviation, in pixels, of the Gaussian that makes white noise as soft as this noise; 0: white.
   */
  softnessPx: number;
}

/** Blur of a photo's sharpest places, by its lens or by resizing. */
export interface Blur {
  /** Standard deviation of a Gaussian in pixels. */
  deviationPx: number;
  /** Expected error of it (the scale of a Laplace distribution). */
  errorPx: number;
}

export interface Damage extends Noise {
  /** On libjpeg's scale, 1-100; absent: no trace of lossy compression. */
  jpegQuality?: number;
  /** Source of the quality. */
  toldBy: 'tables' | 'header' | 'pixels' | 'nothing';
  /** Relative excess of steps across borders of 8 x 8 blocks over other steps: 0 equal, 1 twice as large. */
  blockiness: number;
  /** Absent: not measured. */
  blur?: Blur;
}
