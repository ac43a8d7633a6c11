/** Holds photos back until it is known where their results go. */
export class DestinationGate {
  #isOpen = $state(true);
  #wasRefused = $state(false);
  #granted: Promise<unknown> = Promise.resolve();

  /** A start was refused, because a folder must be named first. */
  get isMissed(): boolean {
    return this.#wasRefused && !this.#isOpen;
  }

  /** Results have a destination, or a folder must be named first. */
  settle(isOpen: boolean): void {
    this.#isOpen = isOpen;
    this.#granted = Promise.resolve();
  }

  /** A folder was entered, which is the destination once it is granted. */
  await(granted: Promise<boolean>): void {
    this.#granted = granted;
    void granted.then((isGranted) => {
      if (this.#granted === granted) this.#isOpen = isGranted;
    });
  }

  /** Waits for the folder that was entered last. @returns whether photos may start */
  async pass(): Promise<boolean> {
    let awaited: Promise<unknown>;
    do {
      awaited = this.#granted;
      await awaited;
    } while (awaited !== this.#granted);
    this.#wasRefused = !this.#isOpen;
    return this.#isOpen;
  }
}
