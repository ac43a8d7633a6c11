import { spawn } from 'node:child_process';
import { readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { Redis } from 'ioredis';
import { expect, onTestFinished, test } from 'vitest';
import { parse } from 'yaml';
import { freePort, redisProgram, sendLine } from '../support/redis.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const left = redisProgram ? '' : ' (left out: neither valkey-server nor redis-server is installed)';
const file = path.join(import.meta.dirname, '../../packaging/pool/compose.yml');

/** With what the server's own file would take for something else. */
const password = 'choose "one" & \\2';

interface Compose {
  services: {
    queue: {
      command: string[];
      environment: Record<string, string>;
      ports: string[];
      volumes?: unknown;
    };
  };
}

/** As a container does it but for its port, and with its folder of temporary files elsewhere. */
async function startedBy([shell = '', option = '', script = '']: string[]) {
  const folder = temporaryFolder();
  const port = await freePort();
  // Compose makes one dollar of two.
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
    const client = new Redis({ port: redis.port, password });
    onTestFinished(() => client.disconnect());
    expect(await client.config('GET', 'save')).toEqual(['save', '']);
    expect(await client.config('GET', 'maxmemory-policy')).toEqual([
      'maxmemory-policy',
      'noeviction',
    ]);
  },
);
