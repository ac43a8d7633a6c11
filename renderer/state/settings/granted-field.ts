/** Follows the granting of the folder that was entered into a field last. */
export class GrantedField {
  #granted: Promise<boolean> = Promise.resolve(false);
  #ask: (() => void) | undefined;

  /** Takes what the field says of a folder that is being granted. @param ask asks for the same one once more */
  follow(granted: Promise<boolean>, _path: string, ask: () => void): void {
    this.#granted = granted;
    this.#ask = ask;
  }

  /** Asks once more for a folder that was refused, because a person may have made it since. */
  async isGranted(): Promise<boolean> {
    if (await this.#granted) return true;
    this.#ask?.();
    return this.#granted;
  }
}
