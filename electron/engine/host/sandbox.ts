/**
 * Sandbox of the processes that decode untrusted files. Linux, with bubblewrap: no network, no other processes,
 * and no files but the system's, the program's and those of the data folder that the process works on.
 * docs/decisions/0011-engine-isolation.md says what was measured, and what the other systems have.
 */
import { spawn, type ChildProcess, type SpawnOptions } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, realpathSync } from 'node:fs';
import { createRequire } from 'node:module';
import { constants } from 'node:os';
import { delimiter, dirname, isAbsolute, join, sep, resolve } from 'node:path';
import type { Log } from '../../../packages/contract/src/log.ts';

/** Absolute paths of existing folders or files; nothing else of the person's is visible. */
export interface SandboxPaths {
  readable: readonly string[];
  writable: readonly string[];
  /** Not visible even where the program's folder is around them. */
  hidden?: readonly string[];
}

export interface EngineCommand {
  nodePath: string;
  /** Options of Node, the program and its arguments. */
  args: readonly string[];
  /** The program among `args`. */
  programPath: string;
}

export interface SandboxedProcess {
  /** Of bubblewrap, where there is a sandbox. */
  child: ChildProcess;
  isSandboxed: boolean;
  /** Id of the program's own process; undefined until it is known, and after its end. */
  pid: () => number | undefined;
  /** Whether the sandbox failed before the program began. Known when `child` has exited. */
  neverBegan: () => boolean;
  kill: () => void;
}

/** Set it to `off` where a sandbox is in the way. */
const variable = 'ENLARGER_SANDBOX';
const launcher = 'bwrap';

/** Libraries, fonts and time zones; no accounts, keys or settings. Those that are missing are left out. */
const systemPaths = [
  ...['/usr', '/bin', '/sbin', '/lib', '/lib32', '/lib64', '/nix/store', '/gnu/store', '/sys'],
  ...['/etc/alternatives', '/etc/fonts', '/etc/localtime'],
  ...['/etc/ld.so.cache', '/etc/ld.so.conf', '/etc/ld.so.conf.d'],
];

/** Why a sandbox failed here; no further process gets one. Undefined while it works. */
let failure: string | undefined;
let isLogged = false;

/** Why processes have no sandbox; undefined if they have one. */
export function sandboxObstacle(
  platform: NodeJS.Platform = process.platform,
  env: NodeJS.ProcessEnv = process.env,
): string | undefined {
  if (platform !== 'linux') return 'There is none for this system.';
  if (env[variable] === 'off') return `${variable} is off.`;
  const folders = (env['PATH'] ?? '').split(delimiter).filter(isAbsolute);
  if (!folders.some((folder) => existsSync(join(folder, launcher))))
    return 'Bubblewrap (bwrap) is not installed.';
  if (!existsSync(`/proc/${process.pid}/task/${process.pid}/children`))
    return 'The kernel does not list the children of a process, by which its memory is watched.';
  return failure;
}

/** Processes that are started from here on have no sandbox. */
export function noteSandboxFailure(reason: string): void {
  failure ??= reason;
}

/** Logs once why there is no sandbox. */
export function logSandboxObstacle(log: Log): void {
  const reason = sandboxObstacle();
  if (reason === undefined || isLogged || process.platform !== 'linux') return;
  isLogged = true;
  log('info', 'Pictures are decoded without a sandbox', { reason });
}

/** Device files of graphics cards and neural processors, whose drivers need more of the system than is documented. */
export function hasGraphicsDevice(folder = '/dev'): boolean {
  const names = ['dri', 'kfd', 'nvidiactl', 'nvidia0', 'dxg', 'accel', 'nvhost-gpu', 'mali0'];
  return names.some((name) => existsSync(join(folder, name)));
}

/** Starts Node, in a sandbox if there are paths and the system has one. */
export function spawnSandboxed(
  command: EngineCommand,
  paths: SandboxPaths | undefined,
  options: SpawnOptions & { stdio: ('ignore' | 'pipe' | 'ipc')[] },
): SandboxedProcess {
  const { nodePath, args } = command;
  if (paths === undefined || sandboxObstacle() !== undefined) {
    const child = spawn(nodePath, args, { ...options, windowsHide: true });
    return {
      child,
      isSandboxed: false,
      pid: () => child.pid,
      neverBegan: () => false,
      kill: () => void child.kill('SIGKILL'),
    };
  }
  const statusFd = options.stdio.length;
  const words = [...sandboxArguments(command, paths, statusFd), '--', nodePath, ...args];
  // A group of its own: a terminal's Ctrl-C would end bubblewrap, and the engine with it.
  const child = spawn(launcher, words, {
    ...options,
    stdio: options.stdio.concat('pipe'),
    detached: true,
    windowsHide: true,
  });
  const status = readStatus(child, statusFd);
  const pid = () => programOf(status.initPid);
  return {
    child,
    isSandboxed: true,
    pid,
    neverBegan: () => child.pid === undefined || (child.exitCode !== null && !status.hasExitCode),
    kill() {
      // With the first process of its namespace, the kernel ends all others.
      if (status.initPid !== undefined && !status.hasExitCode) killQuietly(status.initPid);
      child.kill('SIGKILL');
    },
  };
}

/** How a process ended, in or outside of a sandbox: a signal's name, or the exit code. */
export function describeEnd(code: number | null, signal: NodeJS.Signals | null): string {
  if (signal !== null) return signal;
  // Bubblewrap, as a shell, returns 128 and the number of the signal that ended the program.
  const ended = Object.entries(constants.signals).find(([, number]) => code === 128 + number);
  return ended?.[0] ?? `exit code ${code ?? 'unknown'}`;
}

export function sandboxArguments(
  command: EngineCommand,
  { readable, writable, hidden = [] }: SandboxPaths,
  statusFd: number,
): string[] {
  const system = [...systemPaths, ...programPaths(command)];
  return [
    ...['--unshare-user-try', '--unshare-net', '--unshare-pid', '--unshare-ipc', '--unshare-uts'],
    ...['--die-with-parent', '--new-session', '--cap-drop', 'ALL'],
    ...['--proc', '/proc', '--dev', '/dev', '--tmpfs', '/tmp'],
    // On the disk: a decoder's temporary files can be larger than the memory.
    ...['--setenv', 'TMPDIR', writable[0] ?? '/tmp'],
    ...system.flatMap(readOnly),
    ...hidden.filter(existsSync).flatMap((path) => ['--tmpfs', path]),
    ...readable.flatMap(readOnly),
    ...writable.flatMap((path) => ['--bind', path, path]),
    ...['--chdir', '/', '--json-status-fd', String(statusFd)],
  ];
}

const readOnly = (path: string) => ['--ro-bind-try', path, path];

/** The program's folder, and Node and packages where they are elsewhere; each also where its links lead. */
function programPaths({ nodePath, ...command }: EngineCommand): string[] {
  const programPath = resolve(command.programPath);
  const given = [packageRootOf(programPath), nodePath, ...packageFolders(programPath)];
  const real = [packageRootOf(followLinks(programPath)), ...given.map(followLinks)];
  const all = [...new Set([...given, ...real])];
  return all.filter((path) => !all.some((other) => path.startsWith(other + sep)));
}

const followLinks = (path: string) => (existsSync(path) ? realpathSync(path) : path);

function packageRootOf(programPath: string): string {
  for (let folder = dirname(programPath); folder !== dirname(folder); folder = dirname(folder))
    if (existsSync(join(folder, 'package.json'))) return folder;
  return dirname(programPath);
}

/** The node_modules with native packages, which an installation by npm may have beside the program's folder. */
function packageFolders(programPath: string): string[] {
  const paths = createRequire(programPath).resolve.paths('sharp') ?? [];
  return paths.filter((path) => existsSync(join(path, 'sharp')));
}

interface Status {
  initPid: number | undefined;
  hasExitCode: boolean;
}

/** Bubblewrap writes a line with its child's id, and one with the exit code if the program began. */
function readStatus(child: ChildProcess, fd: number): Status {
  const status: Status = { initPid: undefined, hasExitCode: false };
  let text = '';
  child.stdio[fd]?.on('data', (chunk: Buffer) => {
    // A few dozen bytes; the program inside could write more.
    text = (text + chunk.toString('latin1')).slice(0, 4096);
    const found = /"child-pid": (\d+)/.exec(text)?.[1];
    status.initPid ??= found === undefined ? undefined : Number(found);
    status.hasExitCode = text.includes('"exit-code"');
  });
  child.stdio[fd]?.on('error', () => undefined);
  return status;
}

/** The program is the only child of the first process of its namespace. */
function programOf(initPid: number | undefined): number | undefined {
  if (initPid === undefined) return undefined;
  try {
    const [task = ''] = readdirSync(`/proc/${initPid}/task`);
    const children = readFileSync(`/proc/${initPid}/task/${task}/children`, 'utf8');
    const [first] = children.trim().split(' ');
    return first ? Number(first) : undefined;
  } catch {
    // It has ended.
    return undefined;
  }
}

function killQuietly(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It has ended.
  }
}
