/**
 * The service that the application shows: a running one on the data folder, or its own. Held while the
 * application lives, and found again if another service takes its place.
 */
import { setTimeout as wait } from 'node:timers/promises';
import { createClient, type Client } from '../../../packages/api-client/src/client.ts';
import { findRunningService, readServiceKey } from '../../running-service.ts';
import { DataFolderLocked } from '../../../packages/files/src/service-file.ts';
import type { Service } from '../../service/service.ts';
import type { Log } from '../../../packages/contract/src/log.ts';

interface ServiceLink {
  readonly url: string;
  /** True if the service runs in this process. */
  readonly isOwn: boolean;
  /** Client with a key that may change settings. */
  readonly client: Client;
  /** New session key for a page. */
  sessionKey(): Promise<string>;
  /** Stops the application's own service; another one keeps running. */
  close(hurry: AbortSignal): Promise<void>;
}

interface LinkOptions {
  dataDir: string;
  startService(): Promise<Service>;
}

/** Start-up time of a slow machine, from locking the data folder to serving. */
const startLimitMs = 15_000;
const betweenTriesMs = 250;

/**
 * Joins the running service or starts one. A process that has locked the data folder but does not respond is
 * waited for, since it may be starting or stopping.
 * @throws Error a sentence if there is no service
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
  /** Absolute. */
  readonly dataDir: string;
  link(): ServiceLink;
  /** Finds a service that does not respond; resolves when a retry makes sense. */
  findAgain(): Promise<void>;
  close(hurry: AbortSignal): Promise<void>;
}

interface HolderOptions extends LinkOptions {
  /** Called when the service's URL changed. */
  onMoved(): void;
  log: Log;
}

const findAgainAfterMs = 1000;

/** @throws Error a sentence if there is no service */
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
    dataDir: options.dataDir,
    link: () => link,
    findAgain: () => (finding ??= findAgain().finally(() => (finding = undefined))),
    async close(hurry) {
      isClosed = true;
      await finding;
      await link.close(hurry);
    },
  };
}
