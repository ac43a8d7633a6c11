/** What was measured of a photo: its noise, and the traces of lossy compression. */

export interface Noise {
  /** The standard deviation in each colour, in levels of 255. */
  deviation: number;
  /** The deviation, in pixels, of the Gaussian that makes white noise as soft; at 0 the noise is white. */
  softnessPx: number;
}

export interface Damage extends Noise {
  /** libjpeg's quality, 1-100; absent: there is no trace of lossy compression. */
  jpegQuality?: number;
  /** The source that told the quality. */
  toldBy: 'tables' | 'header' | 'pixels' | 'nothing';
  /** It tells how much larger steps across borders of 8 x 8 blocks are than elsewhere: at 0 alike, at 1 twice. */
  blockiness: number;
}
