/** The options of a cut-out's edge. */
export interface CutoutEdge {
  /** The width is in pixels of the source. */
  feather: number;
  /** The strength is in percent. */
  decontaminate: number;
}
