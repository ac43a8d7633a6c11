/** A session bus on which a server of notifications runs, as a desktop has one. */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { user } from './shell.ts';

export interface Notification {
  id: number;
  title: string;
  body: string;
  /** Names and labels in turn. */
  actions: string[];
}

export interface SessionBus {
  /** The value of DBUS_SESSION_BUS_ADDRESS. */
  address: string;
  readonly notifications: readonly Notification[];
  click(notification: Notification): void;
  close(): void;
}

const python = '/usr/bin/python3';
const server = path.join(import.meta.dirname, 'notification-server.py');

/** Whether dbus-daemon and what the server is written in are installed. */
export function hasSessionBus(): boolean {
  const runs = (file: string, args: string[]) => spawnSync(file, args).status === 0;
  return (
    runs('dbus-daemon', ['--version']) && runs(python, ['-c', 'from gi.repository import Gio'])
  );
}

/** The bus lets in its own user alone, which is the one of Electron. */
export async function openSessionBus(): Promise<SessionBus> {
  const args = ['--session', '--nofork', '--print-address=3'];
  const bus = spawn('dbus-daemon', args, {
    ...user,
    stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
  });
  const [line] = (await once(bus.stdio[3] as Readable, 'data')) as [Buffer];
  const address = line.toString().trim();
  const env = { ...process.env, DBUS_SESSION_BUS_ADDRESS: address };
  const child = spawn(python, [server], { ...user, env, stdio: ['pipe', 'pipe', 'inherit'] });
  const lines = createInterface({ input: child.stdout });
  const notifications: Notification[] = [];
  await once(lines, 'line');
  lines.on('line', (text) => notifications.push(JSON.parse(text) as Notification));
  return {
    address,
    notifications,
    click: ({ id }) => void child.stdin.write(`${id}\n`),
    close() {
      child.kill();
      bus.kill();
    },
  };
}
