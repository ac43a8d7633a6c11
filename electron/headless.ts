/**
 * The service without a window. Prints one JSON line on standard output when it accepts requests; its log is
 * JSON lines on standard error.
 */
import { homedir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import type { PickedFile } from '../packages/contract/src/bridge.ts';
import type { StartLine } from '../packages/contract/src/settings/settings.ts';
import { endProcess } from './end-process.ts';
import { readDataDir } from '../packages/files/src/data-dir.ts';
import { createClient } from '../packages/api-client/src/client.ts';
import { listPickedFiles } from './picked-files.ts';
import { createGranter } from './granting.ts';
import { findInstallation } from './installation.ts';
import { standardError as log } from './service/log-file.ts';
import { onParentGone } from './parent-gone.ts';
import { startService, type Service } from './service/service.ts';
import type { ServiceOptions } from './service/service-options.ts';
import { limitYoungGeneration } from './young-generation.ts';

interface ServeArguments {
  service: Pick<ServiceOptions, 'dataDir' | 'allowFolders'> &
    Partial<Pick<ServiceOptions, 'port' | 'compatPort' | 'allowLocalSources'>>;
  /** Absolute paths to add to the page's queue. */
  photos: string[];
}

class WrongUsage extends Error {}

/** @throws WrongUsage a sentence for unknown or invalid arguments */
function readArgumentsOrRefuse(args: string[]): ServeArguments {
  try {
    return readArguments(args);
  } catch (cause) {
    throw new WrongUsage(cause instanceof Error ? cause.message : String(cause), { cause });
  }
}

function readArguments(args: string[]): ServeArguments {
  const { values } = parseArgs({
    args,
    options: {
      port: { type: 'string' },
      'compat-port': { type: 'string' },
      'data-dir': { type: 'string' },
      'allow-folder': { type: 'string', multiple: true },
      'allow-local-sources': { type: 'boolean' },
      photo: { type: 'string', multiple: true },
    },
  });
  const { port, 'compat-port': compatPort } = values;
  const absolute = (paths: string[] = []) => paths.map((one) => path.resolve(one));
  return {
    service: {
      dataDir: readDataDir(values['data-dir']),
      allowFolders: absolute(values['allow-folder']),
      allowLocalSources: values['allow-local-sources'] ?? false,
      ...(port !== undefined && { port: readPort('--port', port) }),
      ...(compatPort !== undefined && { compatPort: readPort('--compat-port', compatPort) }),
    },
    photos: absolute(values.photo),
  };
}

/** Grants the photos, as the window does. */
async function openPhotos({ url, sessionKey }: Service, paths: string[]): Promise<PickedFile[]> {
  if (paths.length === 0) return [];
  await createGranter(() => createClient({ url, key: sessionKey }), homedir())(paths);
  return listPickedFiles(paths);
}

function readPort(option: string, text: string): number {
  const port = Number(text);
  if (/^\d{1,5}$/.test(text) && port <= 65_535) return port;
  throw new Error(`Expected ${option} to be a number from 0 to 65535 but received ${text}.`);
}

/** First signal, or the end of the parent: orderly end; second: without waiting for running work. */
function endOnSignals(service: Service): void {
  const hurry = new AbortController();
  let isEnding = false;
  const end = () => {
    if (isEnding) hurry.abort();
    else void close(service, hurry.signal);
    isEnding = true;
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, end);
  onParentGone(end);
}

async function close(service: Service, hurry: AbortSignal): Promise<void> {
  log('info', 'Ending');
  let failure: unknown;
  try {
    await service.close(hurry);
  } catch (error) {
    failure = error;
    log('error', 'The service did not end in order', { error: String(error) });
  }
  endProcess(failure, () => process.exit(0));
}

const usage = `The service of Enlarger without a window. Prints one line of JSON when it answers.

  --port <number>          8617 or the next free one by default; 0: any free one
  --compat-port <number>   answers programs written for other services (remove.bg, rembg, OpenAI, AUTOMATIC1111)
                           there too; 0: any free one
  --data-dir <folder>      where queue, results and keys lie
  --allow-folder <folder>  its files may be named as file: sources and saveTo; may be given several times
  --photo <path>           is in the queue of its page; may be given several times, as a file or a folder
  --allow-local-sources    fetch pictures from this machine and its network too
  --help                   this text
`;

async function serve(): Promise<void> {
  if (process.argv.slice(2).some((word) => word === '--help' || word === '-h')) {
    process.stdout.write(usage);
    return;
  }
  const input = readArgumentsOrRefuse(process.argv.slice(2));
  const installation = findInstallation(import.meta.url);
  const service = await startService({
    ...installation,
    ...input.service,
    nodePath: process.execPath,
    log,
  });
  endOnSignals(service);
  const line: StartLine = {
    url: service.url,
    pageUrl: service.pageUrl(await openPhotos(service, input.photos)),
    keyFile: service.keyFile,
    pid: process.pid,
    version: installation.version,
    ...(service.compatUrl !== undefined && { compatUrl: service.compatUrl }),
  };
  process.stdout.write(`${JSON.stringify(line)}\n`);
}

limitYoungGeneration();

// A reader that closes the pipe must not end the service.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);

serve().catch((error: unknown) => {
  const reason = error instanceof Error ? error.message : String(error);
  process.stderr.write(`Enlarger cannot start: ${reason}\n`);
  process.exit(error instanceof WrongUsage ? 2 : 1);
});
