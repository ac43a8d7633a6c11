import { spawn, spawnSync } from 'node:child_process';
import { readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { Redis } from 'ioredis';
import { expect, onTestFinished, test } from 'vitest';
import { parse } from 'yaml';
import { freePort, redisProgram, sendLine } from '../support/redis.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const left = redisProgram ? '' : ' (left out: neither valkey-server nor redis-server is installed)';
const client = ['valkey-cli', 'redis-cli'].find(
  (name) => spawnSync(name, ['--version']).status === 0,
);
const leftOfHealth = client ? left : ' (left out: neither valkey-cli nor redis-cli is installed)';
const file = path.join(import.meta.dirname, '../../packaging/pool/compose.yml');

/** The password has characters that have a meaning in the server's configuration file. */
const password = 'choose "one" & \\2';

interface Compose {
  services: {
    queue: {
      command: string[];
      environment: Record<string, string>;
      ports: string[];
      healthcheck: { test: [string, string] };
      volumes?: unknown;
    };
  };
}

/** Starts the queue as a container does, but for the port and the folder of temporary files. */
async function startedBy([shell = '', option = '', script = '']: string[]) {
  const folder = temporaryFolder();
  const port = await freePort();
  // Compose turns two dollars into one.
  const own = script
    .replaceAll('$$', '$')
    .replaceAll('/tmp/', `${folder}/`)
    .replace('exec valkey-server', `exec ${redisProgram ?? ''}`)
    .replace('--save', `--port ${port} --dir ${folder} --save`);
  const child = spawn(shell, [option, own], {
    env: { ...process.env, ENLARGER_POOL_PASSWORD: password },
    stdio: 'ignore',
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  await expect.poll(() => sendLine(port, 'PING').catch(() => '')).toMatch(/^-NOAUTH/);
  return { port, pid: child.pid, folder };
}

test.skipIf(!redisProgram)(
  `the compose file's queue asks for the password, keeps nothing, and throws nothing out${left}`,
  async () => {
    const { queue } = (parse(await readFile(file, 'utf8')) as Compose).services;
    expect(queue.ports).toEqual(['6379:6379']);
    expect(queue.volumes).toBeUndefined();
    expect(queue.environment.ENLARGER_POOL_PASSWORD).toMatch(
      /^\$\{ENLARGER_POOL_PASSWORD:\?[^}]+\}$/,
    );
    const redis = await startedBy(queue.command);
    const { mode } = await stat(path.join(redis.folder, 'pool.conf'));
    expect(mode & 0o077).toBe(0);
    if (process.platform === 'linux')
      expect(await readFile(`/proc/${redis.pid}/cmdline`, 'utf8')).not.toContain('choose');
    const asked = new Redis({ port: redis.port, password });
    onTestFinished(() => asked.disconnect());
    expect(await asked.config('GET', 'save')).toEqual(['save', '']);
    expect(await asked.config('GET', 'maxmemory-policy')).toEqual([
      'maxmemory-policy',
      'noeviction',
    ]);
  },
);

test.skipIf(!redisProgram || !client)(
  `the compose file's look at its health needs no password, and sees that nothing answers${leftOfHealth}`,
  async () => {
    const { queue } = (parse(await readFile(file, 'utf8')) as Compose).services;
    const [how, command] = queue.healthcheck.test;
    expect(how).toBe('CMD-SHELL');
    const lookAt = (port: number) =>
      spawnSync('sh', ['-c', command.replace('valkey-cli', `${client ?? ''} -p ${port}`)]).status;
    const { port } = await startedBy(queue.command);
    expect(lookAt(port)).toBe(0);
    expect(lookAt(await freePort())).not.toBe(0);
  },
);
