/** Holds the link to the service for as long as the application lives, also when that service is another one later. */
import { setTimeout as wait } from 'node:timers/promises';
import type { Log } from '../contract/log.ts';
import { linkService, type LinkOptions, type ServiceLink } from './service-link.ts';

export interface ServiceHolder {
  link(): ServiceLink;
  /** To be called when it does not answer. Returns when it may be asked again. */
  findAgain(): Promise<void>;
  close(hurry: AbortSignal): Promise<void>;
}

export interface HolderOptions extends LinkOptions {
  /** Its address is another one now. */
  onMoved(): void;
  log: Log;
}

const betweenTriesMs = 1000;

/** Throws a sentence when no service can be had. */
export async function holdService(options: HolderOptions): Promise<ServiceHolder> {
  let link = await linkService(options);
  let finding: Promise<void> | undefined;
  let isClosed = false;

  const findAgain = async () => {
    await wait(betweenTriesMs);
    if (isClosed || link.isOwn) return;
    try {
      const found = await linkService(options);
      const hasMoved = found.url !== link.url;
      link = found;
      if (hasMoved) options.onMoved();
    } catch (error) {
      options.log('error', 'The service is away.', { error: String(error) });
    }
  };
  return {
    link: () => link,
    findAgain: () => (finding ??= findAgain().finally(() => (finding = undefined))),
    async close(hurry) {
      isClosed = true;
      await finding;
      await link.close(hurry);
    },
  };
}
