/** A real Electron with the built application in it, driven over the debugging ports of its page and main process. */
import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { chromium, type Browser, type Page } from 'playwright-core';
import { patient } from '../support/machine-pace.ts';
import { root } from '../support/program.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import type { TestElectron } from './prepare-electron.ts';

/** Electron refuses root, so root starts it as nobody. */
export const user = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};

/** Returns one sentence if the user may not run this Electron, or if a library of the system is missing. */
export function reasonNotToRun({ binary }: TestElectron): string | undefined {
  const env = { ...process.env, ELECTRON_RUN_AS_NODE: '1' };
  const run = (file: string) =>
    spawnSync(file, ['-e', '0'], { ...user, env, encoding: 'utf8', timeout: 60_000 });
  for (const file of [process.execPath, binary]) {
    const { status, stderr, error } = run(file);
    const problem = error?.message ?? stderr.split('\n')[0] ?? '';
    if (status !== 0) return `${file} cannot be run here: ${problem}`;
  }
  return undefined;
}

export interface Harness {
  electron: TestElectron;
  /** The value of DISPLAY; undefined for the person's own. */
  display?: string | undefined;
}

export interface Start {
  dir: string;
  args?: string[];
  env?: NodeJS.ProcessEnv;
  /** Whether the user that runs the test starts it, although that is root. */
  asRoot?: boolean;
  /** Whether the data folder is named, as it is by default. */
  hasDataDir?: boolean;
  /** The program and its first arguments. By default Electron, on the checkout. */
  command?: readonly [file: string, ...args: string[]];
}

/** A folder that the user of Electron may write, with that user's home and photos in it. */
export function openFolder(): string {
  const folder = temporaryFolder();
  chmodSync(folder, 0o777);
  for (const name of ['home', 'photos']) {
    mkdirSync(path.join(folder, name));
    chmodSync(path.join(folder, name), 0o777);
  }
  return folder;
}

/** Starts the application without ports to drive it by, as a second start does. */
export function spawnElectron(harness: Harness, start: Start): ChildProcess {
  const { electron, display } = harness;
  const home = path.join(start.dir, 'home');
  const env: NodeJS.ProcessEnv = {
    ...process.env,
    // The tests name what they press in English, on a machine of any language.
    LANG: 'C.UTF-8',
    LANGUAGE: 'en',
    LC_ALL: '',
    HOME: home,
    XDG_CONFIG_HOME: path.join(home, 'config'),
    XDG_CACHE_HOME: path.join(home, 'cache'),
    XDG_DATA_HOME: path.join(home, 'data'),
    ENLARGER_NODE: process.execPath,
    ELECTRON_OVERRIDE_DIST_PATH: path.dirname(electron.binary),
    ...(display !== undefined && { DISPLAY: display, WAYLAND_DISPLAY: '' }),
    ...start.env,
  };
  delete env.NODE_COMPILE_CACHE;
  const [file, ...first] = start.command ?? [electron.binary, root];
  const dataDir = start.hasDataDir === false ? [] : [`--data-dir=${path.join(start.dir, 'data')}`];
  const args = [...first, ...dataDir, ...(start.args ?? [])];
  return spawn(file, args, {
    cwd: path.join(start.dir, 'photos'),
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
    ...(start.asRoot === true ? {} : user),
  });
}

export class Shell {
  readonly child: ChildProcess;
  readonly ended: Promise<[code: number | null, signal: NodeJS.Signals | null]>;
  readonly startedAt = performance.now();
  #stdout = '';
  #stderr = '';
  #browser: Browser | undefined;
  #main: WebSocket | undefined;
  #calls = 0;

  constructor(harness: Harness, start: Start) {
    const args = ['--inspect=127.0.0.1:0', '--remote-debugging-port=0', ...(start.args ?? [])];
    this.child = spawnElectron(harness, { ...start, args });
    this.child.stdout?.on('data', (text: Buffer) => (this.#stdout += text.toString()));
    this.child.stderr?.on('data', (text: Buffer) => (this.#stderr += text.toString()));
    this.ended = once(this.child, 'exit') as typeof this.ended;
  }

  /** What it wrote on standard output so far. */
  get stdout(): string {
    return this.#stdout;
  }

  /** What it wrote on standard error so far. */
  get stderr(): string {
    return this.#stderr;
  }

  /** Returns the page once there is one. */
  async page(): Promise<Page> {
    this.#browser ??= await chromium.connectOverCDP(
      await this.#address(/DevTools listening on (ws:\S+)/),
    );
    const [context] = this.#browser.contexts();
    if (context === undefined) throw new Error('Electron has no context of pages.');
    return context.pages()[0] ?? (await context.waitForEvent('page', { timeout: patient(30_000) }));
  }

  /** Evaluates an expression in the main process, where `electron` is its module. It may be a promise. */
  async inMain<Result>(expression: string): Promise<Result> {
    const socket = (this.#main ??= await this.#openMain());
    this.#calls += 1;
    const id = this.#calls;
    const response = new Promise<string>((resolve) => {
      const onMessage = ({ data }: MessageEvent) => {
        const text = String(data);
        if ((JSON.parse(text) as { id?: number }).id !== id) return;
        socket.removeEventListener('message', onMessage);
        resolve(text);
      };
      socket.addEventListener('message', onMessage);
    });
    const params = {
      expression: `(async (electron) => (${expression}))(require('electron'))`,
      awaitPromise: true,
      returnByValue: true,
      includeCommandLineAPI: true,
    };
    socket.send(JSON.stringify({ id, method: 'Runtime.evaluate', params }));
    const { result, error } = JSON.parse(await response) as {
      error?: { message: string };
      result?: {
        result: { value: Result };
        exceptionDetails?: { text: string; exception?: { description?: string } };
      };
    };
    const problem = result?.exceptionDetails;
    if (result === undefined || problem !== undefined)
      throw new Error(problem?.exception?.description ?? problem?.text ?? error?.message);
    return result.result.value;
  }

  /** Lets go of the main process, which waits at its end for a debugger that is attached. */
  async detach(): Promise<void> {
    const socket = this.#main;
    this.#main = undefined;
    if (socket === undefined) return;
    const closed = once(socket, 'close');
    socket.close();
    await closed;
  }

  /** Ends it however it is. */
  async kill(): Promise<void> {
    if (this.child.exitCode !== null || this.child.signalCode !== null) return;
    this.child.kill('SIGKILL');
    await this.ended;
  }

  async #openMain(): Promise<WebSocket> {
    const socket = new WebSocket(await this.#address(/Debugger listening on (ws:\S+)/));
    await once(socket, 'open');
    return socket;
  }

  /** Waits until it wrote the address; rejects with what it wrote when it ends without. */
  #address(pattern: RegExp): Promise<string> {
    return new Promise((resolve, reject) => {
      const look = () => {
        const address = pattern.exec(this.#stderr)?.[1];
        if (address !== undefined) resolve(address);
      };
      this.child.stderr?.on('data', look);
      this.child.once('exit', () => reject(new Error(`Electron ended:\n${this.#stderr}`)));
      look();
    });
  }
}

export interface Process {
  pid: number;
  command: string;
}

/** Lists the processes of an application: those that name its folder, or whose home lies in it. */
export function processesOf(dir: string): Process[] {
  const home = `HOME=${path.join(dir, 'home')}`;
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      try {
        const words = (file: string) => readFileSync(`/proc/${name}/${file}`, 'utf8').split('\0');
        const command = words('cmdline').join(' ');
        // Chromium writes its children's titles over their environment.
        const isIn = command.includes(dir) || words('environ').includes(home);
        return isIn ? [{ pid: Number(name), command }] : [];
      } catch {
        // It has ended, or is another user's.
        return [];
      }
    });
}

/** Ends an application however it is, with all its processes. */
export function killAll(dir: string): void {
  for (const { pid } of processesOf(dir)) {
    try {
      process.kill(pid, 'SIGKILL');
    } catch {
      // It has ended with another one.
    }
  }
}
