import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { Redis } from 'ioredis';
import { expect, onTestFinished, test } from 'vitest';
import { parse } from 'yaml';
import { openTestRedis, redisProgram } from '../support/redis.ts';
import { temporaryFolder } from '../support/service.ts';

const left = redisProgram ? '' : ' (left out: neither valkey-server nor redis-server is installed)';
const file = path.join(import.meta.dirname, '../../packaging/pool/compose.yml');

interface Compose {
  services: { queue: { command: string[]; ports: string[]; volumes?: unknown } };
}

test.skipIf(!redisProgram)(
  `the compose file's queue asks for the password, keeps nothing, and throws nothing out${left}`,
  async () => {
    const { queue } = (parse(await readFile(file, 'utf8')) as Compose).services;
    const [program, ...options] = queue.command;
    expect(program).toBe('valkey-server');
    expect(queue.ports).toEqual(['6379:6379']);
    expect(queue.volumes).toBeUndefined();
    const words = options.map((word) =>
      word.replace(/^\$\{POOL_PASSWORD:\?[^}]+\}$/, 'choose-one'),
    );
    const redis = await openTestRedis(await temporaryFolder(), words);
    expect(await redis.send('PING')).toMatch(/^-NOAUTH/);
    const client = new Redis({ port: redis.port, password: 'choose-one' });
    onTestFinished(() => client.disconnect());
    expect(await client.config('GET', 'save')).toEqual(['save', '']);
    expect(await client.config('GET', 'maxmemory-policy')).toEqual([
      'maxmemory-policy',
      'noeviction',
    ]);
  },
);
