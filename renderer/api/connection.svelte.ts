/** Whether the service answers, as the stream of events shows that the page keeps open. */
import { ApiError } from '../../packages/api-client/src/transport.ts';

/** The service is away with these codes: nothing is wrong with what was sent, and it can be sent again. */
const awayCodes: readonly string[] = ['OFFLINE', 'UNAUTHORIZED', 'SHUTTING_DOWN'];

export const isAway = ({ code }: { code: string }): boolean => awayCodes.includes(code);

/** Delay before a request is repeated that the service did not answer, in case the stream is still open. */
const retryDelayMs = 500;

export class Connection {
  #isOpen = $state(false);
  #opened = Promise.withResolvers<unknown>();

  get isOpen(): boolean {
    return this.#isOpen;
  }

  set isOpen(isOpen: boolean) {
    if (isOpen) this.#opened.resolve(undefined);
    else if (this.#isOpen) this.#opened = Promise.withResolvers();
    this.#isOpen = isOpen;
  }

  /** Resolves once the service answers. */
  async whenOpen(): Promise<void> {
    await this.#opened.promise;
  }

  /**
   * Runs a request while the service answers, and again after each time that it went away during the request.
   *
   * @param isWanted is asked before each run; nothing is sent once it returns false
   * @returns undefined where the request was not wanted any more
   * @throws ApiError where the service refused the request
   */
  async send<T>(request: () => Promise<T>, isWanted: () => boolean): Promise<T | undefined> {
    for (;;) {
      await this.whenOpen();
      if (!isWanted()) return undefined;
      try {
        return await request();
      } catch (error) {
        if (!(error instanceof ApiError) || !isAway(error)) throw error;
        await new Promise((resolve) => setTimeout(resolve, retryDelayMs));
      }
    }
  }
}
