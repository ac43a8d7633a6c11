/** Finds the running service of a data folder, or starts one that ends with the command. */
import envPaths from 'env-paths';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { Log } from '../contract/log.ts';
import { findInstallation } from '../installation.ts';
import { createClient, RequestFailed, type Client, type Connection } from './client.ts';

export interface ConnectOptions {
  dataDir?: string;
  url?: string;
  key?: string;
  /** The URL of the program, for finding the parts of the installation. */
  programUrl: string;
}

export interface Connected {
  client: Client;
  /** Ends the service if it was started for this command. */
  close(): Promise<void>;
}

export async function connect(options: ConnectOptions): Promise<Connected> {
  const dataDir = path.resolve(options.dataDir ?? envPaths('enlarger', { suffix: '' }).data);
  const named =
    options.url === undefined ? undefined : await connectionTo(options.url, options, dataDir);
  const running = named ?? (await findRunning(dataDir, options.key));
  if (running !== undefined) return { client: await checkedClient(running), close: async () => {} };
  return startOwn(dataDir, options.programUrl);
}

async function connectionTo(
  url: string,
  options: ConnectOptions,
  dataDir: string,
): Promise<Connection> {
  if (!URL.canParse(url)) throw new Error(`Expected --url to be an address but received ${url}.`);
  return { url, key: options.key ?? (await readKey(dataDir)) };
}

async function readKey(dataDir: string): Promise<string> {
  const file = path.join(dataDir, 'cli.key');
  try {
    return (await readFile(file, 'utf8')).trim();
  } catch (cause) {
    throw new Error(`No API key: ${file} cannot be read. Name one with --key.`, { cause });
  }
}

/** The service that service.json names, if it is alive: a crash leaves the file behind. */
async function findRunning(dataDir: string, key?: string): Promise<Connection | undefined> {
  const text = await readFile(path.join(dataDir, 'service.json'), 'utf8').catch(() => undefined);
  if (text === undefined) return undefined;
  const { url } = JSON.parse(text) as { url: string };
  if (!(await answers(url))) return undefined;
  return { url, key: key ?? (await readKey(dataDir)) };
}

async function answers(url: string): Promise<boolean> {
  try {
    return (await fetch(new URL('/api/health', url), { signal: AbortSignal.timeout(3000) })).ok;
  } catch {
    return false;
  }
}

/** A client whose key is known to be right, so that a wrong one is said once and not per picture. */
async function checkedClient(connection: Connection): Promise<Client> {
  const client = createClient(connection);
  try {
    await client.list(1);
  } catch (error) {
    if (error instanceof RequestFailed) throw new Error(`${connection.url}: ${error.message}`);
    throw new Error(`No service answers at ${connection.url}.`, { cause: error });
  }
  return client;
}

async function startOwn(dataDir: string, programUrl: string): Promise<Connected> {
  // Loaded only here: the database and the web server are not a client's business.
  const { startService } = await import('../service/service.ts');
  const service = await startService({
    ...findInstallation(programUrl),
    dataDir,
    port: 0,
    nodePath: process.execPath,
    log: warningsToStderr,
  });
  const client = createClient({ url: service.url, key: await readKey(dataDir) });
  return { client, close: () => service.close() };
}

const warningsToStderr: Log = (level, message) => {
  if (level === 'error') console.error(message);
};
