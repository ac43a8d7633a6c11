/** One run of the engine process as the host sees it: it is started, told, heard and killed. */
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
  /** Kills the process at once, because a process that hangs does not react to a softer signal. */
  kill(): void;
  /** Resolves when the process is gone. */
  readonly ended: Promise<undefined>;
}

interface EngineStart {
  nodePath: string;
  enginePath: string;
  /** The first argument of main.ts: the folder for what the engine measures, or one of its other modes. */
  mode: string;
  /** The number of the chosen graphics card; absent: the first card is used. */
  card?: number;
  /** The folder with libraries of a device that a person added; undefined: there is none. */
  runtime?: string | undefined;
  log: Log;
  onMessage: (message: FromEngine) => void;
  onEnd: (how: string) => void;
}

/** Starts the engine process. Its output goes to the log and never to the service's own stdout. */
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
 * Reads how many bytes of memory only this process holds, without mapped files, which the system can drop.
 * The answer is undefined when the process is gone and on other systems than Linux.
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

/** The length of a tick of the kernel's accounting, which is the same on every Linux that Node runs on. */
const tickMs = 10;

/**
 * Reads the processor time that a process has used on all cores, in milliseconds. The answer is undefined
 * when the process is gone and on other systems than Linux.
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
