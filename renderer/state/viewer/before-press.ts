/** The button that shows the original: a click switches, a longer press shows it while it is held. Pure. */
export interface BeforePress {
  readonly fromMs: number;
  /** The original was shown before. */
  readonly wasOn: boolean;
}

const minHoldMs = 300;

/** Whether the original is still shown when the button is released. */
export const staysOn = ({ fromMs, wasOn }: BeforePress, releasedMs: number): boolean =>
  !wasOn && releasedMs - fromMs < minHoldMs;
