/** What the stream of all tasks tells beside tasks: the queue as a whole, and what was set. */
import { describe, expect, it } from 'vitest';
import { eventsIn, openStream } from '../../../support/sse.ts';
import { createClient, openService, type TestService } from '../../../support/service.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';

async function openProgram(service: TestService) {
  const { key } = (await service.call('POST', '/api/keys', { name: 'a program' })).body as {
    key: string;
  };
  return { ...createClient(service.url, key), key };
}

describe('the stream of all tasks', () => {
  it('tells how the queue stands, at once and when that changes, so that nobody asks', async () => {
    const service = await openService();
    const before = openStream(service.url, '/api/tasks/sse', service.key);
    await before.until('"paused":false');
    await service.call('POST', '/api/queue/pause');
    // What the pause tells comes a moment later, and would be counted below.
    await before.until('"paused":true');
    const stream = openStream(service.url, '/api/tasks/sse', service.key);
    const queues = () => eventsIn(stream.body()).filter(({ event }) => event === 'queue');
    await stream.until('event: queue');
    const none = { PENDING: 0, PROCESSING: 0, FINISHED: 0, FAILED: 0, CANCELLED: 0 };
    expect(queues()[0]).toEqual({
      event: 'queue',
      data: { paused: true, counts: none, notices: [] },
    });
    await Promise.all([service.submit(), service.submit()]);
    await stream.until('"PENDING":2');
    // Both submits are told together, and no event of the queue moves the place to resume from.
    expect(queues().length).toBeLessThanOrEqual(3);
    await service.call('POST', '/api/queue/resume');
    await stream.until('"paused":false');
    await stream.until('"FINISHED":2');
    expect(queues().every(({ id }) => id === undefined)).toBe(true);
  });

  it('names what was set, and tells its value to nobody who may not read it', async () => {
    const service = await openService();
    const { key } = await openProgram(service);
    const stream = openStream(service.url, '/api/tasks/sse', key);
    await stream.until('event: queue');
    const origin = 'https://photos.example.org';
    await service.call('PATCH', '/api/settings', { allowedOrigins: [origin] });
    const preset = { name: 'A preset', operation: 'upscale', options: { scale: 2 } };
    await service.call('POST', '/api/presets', preset);
    await stream.until('"presets"');
    const told = eventsIn(stream.body()).filter(({ event }) => event === 'settings');
    expect(told.map(({ data }) => data)).toEqual([
      { changed: ['allowedOrigins'] },
      { changed: ['presets'] },
    ]);
    expect(stream.body()).not.toContain(origin);
  });

  it('tells of keys, requests and the pool only those who may read them', async () => {
    const service = await openService();
    const { call, key } = await openProgram(service);
    const own = openStream(service.url, '/api/tasks/sse', service.sessionKey);
    const programs = openStream(service.url, '/api/tasks/sse', key);
    await Promise.all([own.until('event: queue'), programs.until('event: queue')]);
    await openProgram(service);
    await own.until('{"changed":["keys"]}');
    await call('GET', '/api/tasks');
    await call('GET', '/api/tasks');
    await own.until('{"changed":["requests"]}');
    const pool = { address: 'redis://127.0.0.1:1', storage: temporaryFolder() };
    await service.call('PATCH', '/api/settings', { pool });
    await own.until('{"changed":["helpers"]}');
    await programs.until('{"changed":["pool"]}');
    expect(programs.body()).not.toMatch(/"(keys|requests|helpers)"/);
  });

  it('tells of many requests once, and never that they were read', async () => {
    const service = await openService();
    const stream = openStream(service.url, '/api/tasks/sse', service.sessionKey);
    await stream.until('event: queue');
    await Promise.all(Array.from({ length: 20 }, () => service.call('GET', '/api/tasks')));
    await stream.until('{"changed":["requests"]}');
    await service.call('GET', '/api/requests');
    await new Promise((resolve) => setTimeout(resolve, 1200));
    expect(stream.body().match(/"requests"/g)).toHaveLength(1);
  });
});
