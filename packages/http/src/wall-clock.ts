export interface WallClock {
  /** Milliseconds since 1970; may jump. */
  wallMs(): number;
}
