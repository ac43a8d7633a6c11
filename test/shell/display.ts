/** A display for windows: the person's own, or one in memory (Xvfb). */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import type { Readable } from 'node:stream';

export interface Display {
  /** The value of DISPLAY; undefined for the person's own. */
  name: string | undefined;
  close(): void;
}

export const screen = { width: 1440, height: 900 };

/** Returns the person's own display, or one sentence if there is none and Xvfb is not installed. */
export async function findDisplay(): Promise<Display | string> {
  const { DISPLAY, WAYLAND_DISPLAY } = process.env;
  if (process.platform !== 'linux' || DISPLAY || WAYLAND_DISPLAY)
    return { name: undefined, close: () => undefined };
  try {
    return await openDisplay();
  } catch (error) {
    return `There is no display, and Xvfb could not be started: ${String(error)}`;
  }
}

async function openDisplay(): Promise<Display> {
  const size = `${screen.width}x${screen.height}x24`;
  const args = ['-displayfd', '3', '-screen', '0', size, '-nolisten', 'tcp', '-ac'];
  const server = spawn('Xvfb', args, { stdio: ['ignore', 'ignore', 'ignore', 'pipe'] });
  await once(server, 'spawn');
  const [number] = (await once(server.stdio[3] as Readable, 'data')) as [Buffer];
  const name = `:${number.toString().trim()}`;
  const windowManager = await startWindowManager(name);
  return {
    name,
    close() {
      windowManager?.kill();
      server.kill();
    },
  };
}

/** Windows can be hidden and shown without one, but have no frame. */
async function startWindowManager(display: string): Promise<ChildProcess | undefined> {
  const manager = spawn('openbox', ['--sm-disable'], {
    env: { ...process.env, DISPLAY: display },
    stdio: 'ignore',
  });
  try {
    await once(manager, 'spawn');
    return manager;
  } catch {
    // It is not installed.
    return undefined;
  }
}
