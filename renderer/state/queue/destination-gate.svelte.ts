/** Holds photos back until it is known where their results go. */
export class DestinationGate {
  #isOpen = $state(true);
  #wasRefused = $state(false);
  #granted: Promise<unknown> = Promise.resolve();
  #ask: (() => void) | undefined;

  /** A start was refused, because a folder must be named first. */
  get isMissed(): boolean {
    return this.#wasRefused && !this.#isOpen;
  }

  /** Takes back that a start was refused. */
  dismiss(): void {
    this.#wasRefused = false;
  }

  /** Results have a destination, or a folder must be named first. */
  settle(isOpen: boolean): void {
    this.#isOpen = isOpen;
    this.#granted = Promise.resolve();
    this.#ask = undefined;
  }

  /**
   * A folder was entered, which is the destination once it is granted.
   *
   * @param ask asks for the same folder once more, and comes back here
   */
  await(granted: Promise<boolean>, ask: () => void): void {
    this.#granted = granted;
    this.#ask = ask;
    void granted.then((isGranted) => {
      if (this.#granted === granted) this.#isOpen = isGranted;
    });
  }

  /**
   * Waits for the folder that was entered last. One that was refused is asked for once more, because a person may have
   * made it since.
   *
   * @returns whether photos may start
   */
  async pass(): Promise<boolean> {
    await this.#settled();
    if (!this.#isOpen && this.#ask !== undefined) {
      this.#ask();
      await this.#settled();
    }
    this.#wasRefused = !this.#isOpen;
    return this.#isOpen;
  }

  async #settled(): Promise<void> {
    let awaited: Promise<unknown>;
    do {
      awaited = this.#granted;
      await awaited;
    } while (awaited !== this.#granted);
  }
}
