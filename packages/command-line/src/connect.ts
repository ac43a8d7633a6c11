/** Finds the running service of a data folder, or starts one that ends with the command. */
import { setTimeout as wait } from 'node:timers/promises';
import type { Log } from '../../contract/src/log.ts';
import { readDataDir } from '../../files/src/data-dir.ts';
import { DataFolderLocked } from '../../files/src/service-file.ts';
import { findInstallation, type Installation } from '../../../electron/installation.ts';
import {
  findRunningService,
  isServiceNamed,
  readServiceKey,
} from '../../../electron/running-service.ts';
import type { ServiceFlags } from './option-words.ts';
import { messageOf } from './error-message.ts';
import { showPresence, untilAlone } from './presence.ts';
import { createClient, type Client } from '../../api-client/src/client.ts';
import { nodeFetch } from '../../api-client/src/node-fetch.ts';
import { ApiError, type ServiceConnection } from '../../api-client/src/transport.ts';
import { t } from './text.ts';

type ConnectOptions = ServiceFlags & Running & OwnServiceUse;

export interface CommandConnection {
  client: Client;
  /** The service was started for this command and ends with it. */
  isOwn: boolean;
  /** The service is known to run on this machine, as the one of the data folder does. */
  sharesDisk: boolean;
  /** The key is that of the data folder, which may do everything; absent: not known. */
  hasOwnKey?: boolean;
  /** Ends the service if it was started for this command. */
  close(): Promise<void>;
}

/** This is the work of a command with a service. It resolves with the exit code; `signal` ends it early. */
export type ConnectedCommand = (
  connected: CommandConnection,
  signal: AbortSignal,
) => Promise<number>;
/** How a service is used that is started for a command. */
export interface OwnServiceUse {
  /** Waiting tasks and watched folders go on, and other commands use it, too. A short command needs neither. */
  isShared?: boolean;
}

/** Finds or starts the service that the options mean, and does the work with it. */
export type Ask = (
  options: ServiceFlags,
  work: ConnectedCommand,
  use?: OwnServiceUse,
) => Promise<void>;

/** What a service that is started for a command gets. */
export interface OwnServiceOptions extends Installation {
  dataDir: string;
  isPrivate: boolean;
  port: number;
  nodePath: string;
  log: Log;
}

/** The installation's programs, which are loaded only when a command starts one. */
export interface Programs {
  /** @throws DataFolderLocked */
  startService(
    options: OwnServiceOptions,
  ): Promise<{ readonly url: string; close(): Promise<void> }>;
  /** Runs the service without a window, with the words of the process. */
  serve(): Promise<unknown>;
}

export interface Running {
  programs: Programs;
  /** The parts of the installation are found by this URL of the program. */
  programUrl: string;
  /** Fires when the command is to end at once. */
  signal: AbortSignal;
}

/** Connects, does the work, and ends a service that was started for it. */
export async function withService<Result>(
  options: ServiceFlags,
  running: Running,
  work: (connected: CommandConnection, signal: AbortSignal) => Promise<Result>,
  use: OwnServiceUse = { isShared: true },
): Promise<Result> {
  const connected = await connect({ ...options, ...running, ...use });
  try {
    return await work(connected, running.signal);
  } finally {
    await connected.close();
  }
}

export async function connect(options: ConnectOptions): Promise<CommandConnection> {
  const dataDir = readDataDir(options.dataDir);
  if (options.url !== undefined) {
    const client = await checkedClient(await connectionTo(options.url, options, dataDir));
    return { client, isOwn: false, sharesDisk: false, close: () => Promise.resolve() };
  }
  return (await joinRunning(dataDir, options)) ?? startOrJoin(dataDir, options);
}

async function joinRunning(
  dataDir: string,
  { key }: ConnectOptions,
): Promise<CommandConnection | undefined> {
  if (!isServiceNamed(dataDir)) return undefined;
  const leave = await showPresence(dataDir);
  // Only now does the command that owns the service wait for this one.
  const running = await findRunning(dataDir, key);
  if (running !== undefined) {
    // The service has proved that it knows the key of the data folder.
    const client = key === undefined ? createClient(running) : await checkedClient(running);
    return { client, isOwn: false, sharesDisk: true, hasOwnKey: key === undefined, close: leave };
  }
  await leave();
  return undefined;
}

/** A slow machine takes seconds from holding the data folder to answering. */
const startLimitMs = 15_000;

/** Starts a service, or joins that of another command which was started at the same moment and came first. */
async function startOrJoin(dataDir: string, options: ConnectOptions): Promise<CommandConnection> {
  for (const deadline = Date.now() + startLimitMs; ;) {
    try {
      return await startOwn(dataDir, options);
    } catch (error) {
      if (!(error instanceof DataFolderLocked)) throw error;
      const joined = await joinRunning(dataDir, options);
      if (joined !== undefined) return joined;
      options.signal.throwIfAborted();
      if (Date.now() > deadline) throw error;
      await wait(200);
    }
  }
}

async function connectionTo(
  url: string,
  options: ConnectOptions,
  dataDir: string,
): Promise<ServiceConnection> {
  if (!URL.canParse(url))
    throw new Error(t('Expected --url to be an address but received {url}.', { url }));
  return { url, key: options.key ?? (await readServiceKey(dataDir)) };
}

async function findRunning(dataDir: string, key?: string): Promise<ServiceConnection | undefined> {
  const running = await findRunningService(dataDir);
  return (
    running && { url: running.url, key: key ?? (await readServiceKey(dataDir)), fetch: nodeFetch }
  );
}

/** Makes a client and tries its key, so that a wrong key is reported once and not for each picture. */
async function checkedClient(connection: ServiceConnection): Promise<Client> {
  const client = createClient(connection);
  try {
    await client.list(1);
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    const { url = '' } = connection;
    if (error.code === 'OFFLINE')
      throw new Error(t('No service answers at {url}.', { url }), { cause: error });
    throw new Error(`${url}: ${messageOf(error)}`, { cause: error });
  }
  return client;
}

async function startOwn(dataDir: string, options: ConnectOptions): Promise<CommandConnection> {
  const { isShared = false } = options;
  const service = await options.programs.startService({
    ...findInstallation(options.programUrl),
    dataDir,
    isPrivate: !isShared,
    port: 0,
    nodePath: process.execPath,
    log: warningsToStderr,
  });
  const key = await readServiceKey(dataDir);
  const client = createClient({ url: service.url, key, fetch: nodeFetch });
  const close = async () => {
    if (isShared) await untilAlone(dataDir, options.signal);
    await service.close();
  };
  return { client, isOwn: true, sharesDisk: true, hasOwnKey: true, close };
}

const warningsToStderr: Log = (level, message) => {
  if (level === 'error') console.error(message);
};
