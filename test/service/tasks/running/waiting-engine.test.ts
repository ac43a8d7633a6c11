/** An engine that cannot start blames no photo: the queue waits, and says so wherever a person looks. */
import { expect, it } from 'vitest';
import { EngineDied, type EngineHost } from '../../../../electron/engine/host/host.ts';
import type { JobReport } from '../../../../electron/engine/protocol/messages.ts';
import { openService } from '../../../support/service.ts';

it('is told of in health, queue, stream and log, and no task fails', async () => {
  const logged: string[] = [];
  let isStartable = false;
  const run: EngineHost['run'] = (_job, { onProgress }) => {
    if (!isStartable) return Promise.reject(new EngineDied('start', false, 'No such program.'));
    onProgress({ step: 'decode', percent: 1 });
    return new Promise<JobReport>(() => undefined);
  };
  const service = await openService({
    log: (_level, message) => void logged.push(message),
    createEngine: () => ({ ...quiet, run }),
  });
  const stream = await fetch(`${service.url}/api/tasks/sse`, {
    headers: { authorization: `KEY ${service.key}` },
  });
  const text = { all: '' };
  void (async () => {
    for await (const chunk of stream.body ?? []) text.all += Buffer.from(chunk).toString();
  })().catch(() => undefined);
  const taskId = await service.submit();
  const health = async () =>
    ((await service.call('GET', '/api/health')).body as { status: string }).status;
  await expect.poll(health).toBe('waiting');
  expect((await service.call('GET', '/api/queue')).body).toMatchObject({
    paused: false,
    waits: {
      code: 'ENGINE_CANNOT_START',
      message: expect.stringContaining('No such program.') as string,
    },
  });
  await expect.poll(() => text.all).toMatch(/event: queue\ndata: .*ENGINE_CANNOT_START/);
  expect(logged.join()).toContain('The engine cannot start');
  // It is tried again now and then, and waits again.
  await service.until(taskId, 'PENDING');
  isStartable = true;
  await expect.poll(health, { timeout: 30_000 }).toBe('ok');
  await service.until(taskId, 'PROCESSING');
  expect((await service.call('GET', '/api/queue')).body).not.toHaveProperty('waits');
});

const quiet: EngineHost = {
  run: () => Promise.reject(new Error('not asked')),
  inspect: () => Promise.reject(new Error('not asked')),
  work: () => Promise.reject(new Error('not asked')),
  devices: () => Promise.resolve({ devices: [] }),
  speeds: () => [],
  measure: () => Promise.resolve(undefined),
  warmUp: () => undefined,
  close: () => Promise.resolve(),
};
