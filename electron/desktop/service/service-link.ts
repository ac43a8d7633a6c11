/**
 * Holds the service that this application shows: the one that runs already on the data folder, or one of its
 * own. It is held as long as the application lives, and found again when another service takes its place.
 */
import { setTimeout as wait } from 'node:timers/promises';
import { createClient, type Client } from '../../client/client.ts';
import { findRunningService, readServiceKey } from '../../running-service.ts';
import { DataFolderLocked } from '../../service/data-folder.ts';
import type { Service } from '../../service/service.ts';
import type { Log } from '../../contract/log.ts';

interface ServiceLink {
  readonly url: string;
  /** Says whether the service runs in this process. */
  readonly isOwn: boolean;
  /** The client's key may change settings. */
  readonly client: Client;
  /** Makes a new session key for a page. */
  sessionKey(): Promise<string>;
  /** Ends the service when it is the application's own; another one goes on without the application. */
  close(hurry: AbortSignal): Promise<void>;
}

interface LinkOptions {
  dataDir: string;
  startService(): Promise<Service>;
}

/** A slow machine takes seconds from holding the data folder to answering. */
const startLimitMs = 15_000;
const betweenTriesMs = 250;

/**
 * Joins the running service or starts one. A process that holds the data folder and does not answer is waited
 * for, because its service may be about to begin or to end. It throws a sentence when no service can be had.
 */
export async function linkService(options: LinkOptions): Promise<ServiceLink> {
  for (const deadline = Date.now() + startLimitMs; ;) {
    const running = await joinRunning(options.dataDir);
    if (running !== undefined) return running;
    try {
      return linkOwn(await options.startService());
    } catch (error) {
      if (!(error instanceof DataFolderLocked) || Date.now() > deadline) throw error;
      await wait(betweenTriesMs);
    }
  }
}

function linkOwn(service: Service): ServiceLink {
  const { url, sessionKey } = service;
  return {
    url,
    isOwn: true,
    client: createClient({ url, key: sessionKey }),
    sessionKey: () => Promise.resolve(sessionKey),
    close: (hurry) => service.close(hurry),
  };
}

async function joinRunning(dataDir: string): Promise<ServiceLink | undefined> {
  const running = await findRunningService(dataDir);
  if (running === undefined) return undefined;
  const client = createClient({ url: running.url, key: await readServiceKey(dataDir) });
  return {
    url: running.url,
    isOwn: false,
    client,
    sessionKey: () => client.newSession(),
    close: () => Promise.resolve(),
  };
}

export interface ServiceHolder {
  link(): ServiceLink;
  /** Finds a service again that does not answer, and resolves when it may be asked again. */
  findAgain(): Promise<void>;
  close(hurry: AbortSignal): Promise<void>;
}

interface HolderOptions extends LinkOptions {
  /** Is called when the service's address changed. */
  onMoved(): void;
  log: Log;
}

const findAgainAfterMs = 1000;

/** Links a service and holds the link. It throws a sentence when no service can be had. */
export async function holdService(options: HolderOptions): Promise<ServiceHolder> {
  let link = await linkService(options);
  let finding: Promise<void> | undefined;
  let isClosed = false;

  const findAgain = async () => {
    await wait(findAgainAfterMs);
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
