/** Starts and kills the engine process, and sends and receives its messages. */
import type { ChildProcess } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import type { Log } from '../../../packages/contract/src/log.ts';
import { codeCacheIn } from '../../../packages/files/src/code-cache.ts';
import type { FromEngine, ToEngine } from '../protocol/messages.ts';
import { cardVariable } from './graphics-cards.ts';
import { runtimeEnvironment, engineEnvironment } from './engine-environment.ts';
import {
  describeEnd,
  logSandboxObstacle,
  noteSandboxFailure,
  spawnSandboxed,
  type SandboxedProcess,
  type SandboxPaths,
} from './sandbox.ts';

export interface EngineProcess {
  /** Undefined until it is known, and where the process could not be started. */
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
  cacheDir: string;
  /** Index of the chosen graphics card; absent: the first card. */
  card?: number;
  /** Folder with added libraries of a device; undefined: none. */
  runtime?: string | undefined;
  /** Files of the process's sandbox; undefined: none. */
  sandbox?: SandboxPaths | undefined;
  log: Log;
  onMessage: (message: FromEngine) => void;
  onEnd: (how: string) => void;
}

/**
 * Starts the engine process. Its output goes to the log, never to the service's stdout. Where a process ends
 * before its first message because its sandbox does not work here, one without takes its place.
 */
export function startEngineProcess(start: EngineStart): EngineProcess {
  const { promise: ended, resolve } = Promise.withResolvers<undefined>();
  let hasMessage = false;
  let isKilled = false;
  const end = (how: string) => {
    resolve(undefined);
    start.onEnd(how);
  };
  const begin = (sandbox: SandboxPaths | undefined): SandboxedProcess => {
    const started = spawnEngine(start, sandbox);
    const { child, isSandboxed } = started;
    const lines = logLines(child, start.log);
    child.on('message', (message) => {
      hasMessage = true;
      start.onMessage(message as FromEngine);
    });
    const onExit = (how: string) => {
      if (!isSandboxed || hasMessage || isKilled) {
        end(how);
        return;
      }
      noteSandboxFailure(lines.at(-1) ?? how);
      logSandboxObstacle(start.log);
      running = begin(undefined);
    };
    // Whether a sandbox failed is known with the last of its output.
    child.once(isSandboxed ? 'close' : 'exit', (code: number | null, signal) =>
      onExit(describeEnd(code, signal as NodeJS.Signals | null)),
    );
    child.once('error', (error) => {
      if (isSandboxed && child.pid === undefined) {
        onExit(error.message);
        return;
      }
      start.log('error', 'The engine could not be started or reached', { reason: error.message });
      if (child.pid === undefined) end(error.message);
    });
    return started;
  };
  if (start.sandbox) logSandboxObstacle(start.log);
  let running = begin(start.sandbox);
  return {
    get pid() {
      return running.pid();
    },
    ended,
    send(message) {
      if (running.child.connected) running.child.send(message, () => undefined);
    },
    kill() {
      isKilled = true;
      running.kill();
    },
  };
}

function spawnEngine(start: EngineStart, sandbox: SandboxPaths | undefined): SandboxedProcess {
  const { nodePath, enginePath, mode } = start;
  const command = { nodePath, args: [enginePath, mode], programPath: enginePath };
  return spawnSandboxed(command, sandbox, {
    env: {
      NODE_COMPILE_CACHE: codeCacheIn(start.cacheDir),
      ...engineEnvironment(),
      ...runtimeEnvironment(start.runtime, start.enginePath),
      [cardVariable]: String(start.card ?? 0),
    },
    serialization: 'advanced',
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    windowsHide: true,
  });
}

/** Returns the latest lines. */
function logLines(child: ChildProcess, log: Log): readonly string[] {
  const latest: string[] = [];
  for (const stream of [child.stdout, child.stderr]) {
    if (!stream) continue;
    createInterface({ input: stream }).on('line', (line) => {
      latest.splice(0, latest.length, line);
      log('warn', `engine: ${line}`);
    });
  }
  return latest;
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
