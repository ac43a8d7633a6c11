/** A queue's server of a test's own. Tests that need it say that they are left out where it is not installed. */
import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { connect, createServer, type AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

export const redisProgram = ['valkey-server', 'redis-server'].find(
  (name) => spawnSync(name, ['--version']).status === 0,
);

export interface TestRedis {
  address: string;
  port: number;
  /** As a power cut does it. What it held is gone: it keeps nothing on disk. */
  kill(): Promise<void>;
  start(): Promise<void>;
  send(command: string): Promise<string>;
}

/** @param args of the program, beside its port @param host where it listens beside loopback */
export async function startRedis(
  dir: string,
  args: string[] = [],
  host?: string,
): Promise<TestRedis> {
  const port = await freePort();
  let child: ChildProcess | undefined;
  const start = async () => {
    child = spawn(
      redisProgram ?? 'redis-server',
      [
        '--port',
        String(port),
        '--bind',
        '127.0.0.1',
        ...(host === undefined ? [] : [host]),
        '--save',
        '',
        '--dir',
        dir,
        ...args,
      ],
      { stdio: 'ignore' },
    );
    while (!(await responses(port))) await new Promise((resolve) => setTimeout(resolve, 20));
  };
  const kill = async () => {
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, 'exit');
    child.kill('SIGKILL');
    await ended;
  };
  await start();
  return {
    address: `redis://${host ?? '127.0.0.1'}:${port}`,
    port,
    kill,
    start,
    send: (text) => sendLine(port, text),
  };
}

export async function openTestRedis(dir: string, args: string[] = []): Promise<TestRedis> {
  const redis = await startRedis(dir, args);
  onTestFinished(() => redis.kill());
  return redis;
}

export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

async function responses(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1');
  try {
    await once(socket, 'connect');
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}

/** One line in, one answer out. */
export async function sendLine(port: number, text: string): Promise<string> {
  const socket = connect(port, '127.0.0.1');
  await once(socket, 'connect');
  socket.write(`${text}\r\n`);
  const [answer] = (await once(socket, 'data')) as [Buffer];
  socket.destroy();
  return answer.toString();
}
