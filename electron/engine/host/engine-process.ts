/** Starts and kills the engine process, and sends and receives its messages. */
import { spawn, type ChildProcess } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import type { Log } from '../../contract/log.ts';
import type { FromEngine, ToEngine } from '../protocol/messages.ts';
import { cardVariable } from './graphics-cards.ts';
import { runtimeEnvironment, engineEnvironment } from './engine-environment.ts';

export interface EngineProcess {
  readonly pid: number | undefined;
  send(message: ToEngine): void;
  /** Sends SIGKILL: a hung process does not react to softer signals. */
  kill(): void;
  /** Resolves when the process has exited. */
  readonly ended: Promise<undefined>;
}

interface EngineStart {
  nodePath: string;
  enginePath: string;
  /** First argument of main.ts: the cache folder, or one of its other modes. */
  mode: string;
  /** Index of the chosen graphics card; absent: the first card. */
  card?: number;
  /** Folder with added libraries of a device; undefined: none. */
  runtime?: string | undefined;
  log: Log;
  onMessage: (message: FromEngine) => void;
  onEnd: (how: string) => void;
}

/** Starts the engine process. Its output goes to the log, never to the service's stdout. */
export function startEngineProcess(start: EngineStart): EngineProcess {
  const child = spawn(start.nodePath, [start.enginePath, start.mode], {
    env: {
      ...engineEnvironment(),
      ...runtimeEnvironment(start.runtime, start.enginePath),
      [cardVariable]: String(start.card ?? 0),
    },
    serialization: 'advanced',
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    windowsHide: true,
  });
  child.on('message', (message) => start.onMessage(message as FromEngine));
  logLines(child, start.log);
  const { promise: ended, resolve } = Promise.withResolvers<undefined>();
  const end = (how: string) => {
    resolve(undefined);
    start.onEnd(how);
  };
  child.once('exit', (code, signal) => end(signal ?? `exit code ${code ?? 'unknown'}`));
  child.once('error', (error) => {
    start.log('error', 'The engine could not be started or reached', { reason: error.message });
    if (child.pid === undefined) end(error.message);
  });
  return {
    pid: child.pid,
    ended,
    send(message) {
      if (child.connected) child.send(message, () => undefined);
    },
    kill: () => void child.kill('SIGKILL'),
  };
}

function logLines(child: ChildProcess, log: Log): void {
  for (const stream of [child.stdout, child.stderr]) {
    if (!stream) continue;
    createInterface({ input: stream }).on('line', (line) => log('warn', `engine: ${line}`));
  }
}

/**
 * Returns the anonymous memory of a process in bytes, without mapped files, which the system can drop.
 * Undefined if the process has exited, and on other systems than Linux.
 */
export function anonymousBytes(pid: number): number | undefined {
  if (process.platform !== 'linux') return undefined;
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    const found = /^RssAnon:\s+(\d+) kB/m.exec(status);
    return found ? Number(found[1]) * 1024 : undefined;
  } catch {
    return undefined;
  }
}

/** Clock tick of the kernel's accounting, which is 10 ms on every Linux that Node runs on. */
const tickMs = 10;

/**
 * Returns the processor time of a process on all cores in ms. Undefined if the process has exited, and on
 * other systems than Linux.
 */
export function cpuMsOf(pid: number): number | undefined {
  if (process.platform !== 'linux') return undefined;
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name may hold spaces and brackets; only numbers follow the last bracket.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return (Number(fields[11]) + Number(fields[12])) * tickMs;
  } catch {
    return undefined;
  }
}
