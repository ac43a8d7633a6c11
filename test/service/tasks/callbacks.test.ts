/** Telling an address that a task ended: what it gets, how it knows whom it is from, and what becomes of one that does not answer. */
import { createHmac, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import Database from 'better-sqlite3';
import { describe, expect, it, onTestFinished } from 'vitest';
import { dataUrl, openService, type TestService } from '../../support/service.ts';

interface Told {
  headers: IncomingMessage['headers'];
  body: string;
}

/** A server that responds with these statuses in turn, each once it resolves; then with the last one. */
async function receiver(
  ...statuses: (number | Promise<number>)[]
): Promise<{ url: string; told: Told[] }> {
  const told: Told[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      told.push({ headers: request.headers, body: Buffer.concat(chunks).toString() });
      const status = statuses[Math.min(told.length, statuses.length) - 1] ?? 200;
      void Promise.resolve(status).then((answer) => response.writeHead(answer).end());
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/ended`, told };
}

/** Never answers, and counts who waits for it. @returns its URL */
async function deafServer(open: { now: number; most: number }): Promise<string> {
  const server = createServer((request, response) => {
    open.now += 1;
    open.most = Math.max(open.most, open.now);
    response.on('close', () => (open.now -= 1));
    request.resume();
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/ended`;
}

const callbackOf = async (service: TestService, taskId: string) =>
  (await service.record(taskId)).callback;
const patience = { timeout: 30_000 };

/** Adds ended tasks to the database of a service that is off: copies of one, with these addresses to call. */
function copyTask(file: string, taskId: string, callbackUrls: readonly string[]): void {
  const db = new Database(file);
  try {
    db.exec('DELETE FROM event_callbacks');
    const columns = db
      .prepare<[], { name: string }>('PRAGMA table_info(tasks)')
      .all()
      .map(({ name }) => name)
      .filter((name) => !['seq', 'task_id', 'options'].includes(name));
    const insert = db.prepare(
      `INSERT INTO tasks (task_id, options, ${columns.join(', ')})
        SELECT ?, json_set(options, '$.callbackUrl', ?), ${columns.join(', ')}
        FROM tasks WHERE task_id = ?`,
    );
    db.transaction(() => {
      for (const url of callbackUrls) insert.run(randomUUID(), url, taskId);
      db.prepare('DELETE FROM tasks WHERE task_id = ?').run(taskId);
    })();
  } finally {
    db.close();
  }
}

describe('a callbackUrl', () => {
  it('is told once of the end, signed, with links that work', async () => {
    const service = await openService({ allowLocalSources: true });
    const { url, told } = await receiver(204);
    const taskId = await service.submit(dataUrl, { callbackUrl: url });
    await expect
      .poll(() => callbackOf(service, taskId), patience)
      .toEqual({ state: 'delivered', attempts: 1 });
    expect(told).toHaveLength(1);
    const { headers, body } = told[0]!;
    const view = JSON.parse(body) as { taskId: string; status: string; imageUrl: string };
    // The message of Standard Webhooks, and beside it the task as it was sent before.
    expect(view).toMatchObject({ taskId, status: 'FINISHED' });
    expect(JSON.parse(body)).toMatchObject({
      type: 'task.finished',
      timestamp: expect.stringMatching(/^\d{4}-.*Z$/) as string,
      data: { taskId, status: 'FINISHED', imageUrl: view.imageUrl },
    });
    expect((await fetch(view.imageUrl)).status).toBe(200);
    const { secret } = (await service.call('GET', '/api/callbacks/secret')).body as {
      secret: string;
    };
    const signed = createHmac('sha256', Buffer.from(secret, 'hex'))
      .update(`${String(headers['x-enlarger-timestamp'])}.${body}`)
      .digest('hex');
    expect(headers['x-enlarger-signature']).toBe(`sha256=${signed}`);
    const [id, timestamp] = [headers['webhook-id'], headers['webhook-timestamp']].map(String);
    const standard = createHmac('sha256', Buffer.from(secret, 'hex'))
      .update(`${id}.${timestamp}.${body}`)
      .digest('base64');
    expect(headers['webhook-signature']).toBe(`v1,${standard}`);
    expect(id).toContain(taskId);
  });

  it('is signed with another secret once one is set, also after a restart', async () => {
    const { url, told } = await receiver(204);
    const first = await openService({ allowLocalSources: true });
    const secret = 'ab'.repeat(32);
    const set = await first.call('PUT', '/api/callbacks/secret', { secret });
    expect([set.status, set.body]).toEqual([200, { secret }]);
    expect((await first.call('PUT', '/api/callbacks/secret', { secret: 'short' })).status).toBe(
      400,
    );
    await first.close();
    const second = await openService({ allowLocalSources: true, dataDir: first.dataDir });
    expect((await second.call('GET', '/api/callbacks/secret')).body).toEqual({ secret });
    await second.submit(dataUrl, { callbackUrl: url });
    await expect.poll(() => told.length, patience).toBe(1);
    const { headers, body } = told[0]!;
    const signed = createHmac('sha256', Buffer.from(secret, 'hex'))
      .update(`${String(headers['x-enlarger-timestamp'])}.${body}`)
      .digest('hex');
    expect(headers['x-enlarger-signature']).toBe(`sha256=${signed}`);
  });

  it('is told of a failure too, and again after a pause when it did not take it', async () => {
    const service = await openService({
      allowLocalSources: true,
      script: () => ({ do: 'fail', code: 'NO_SUBJECT' }),
    });
    const again = Promise.withResolvers<number>();
    const { url, told } = await receiver(500, again.promise);
    const taskId = await service.submit(dataUrl, { callbackUrl: url });
    await expect
      .poll(() => callbackOf(service, taskId), patience)
      .toEqual({ state: 'waiting', attempts: 1, problem: 'It answered with status 500.' });
    again.resolve(200);
    await expect
      .poll(() => callbackOf(service, taskId), patience)
      .toEqual({ state: 'delivered', attempts: 2 });
    expect(told.map(({ body }) => JSON.parse(body) as unknown)).toMatchObject([
      { status: 'FAILED', error: { code: 'NO_SUBJECT' } },
      { status: 'FAILED' },
    ]);
  });

  it('that never answers holds back its own alone', async () => {
    const service = await openService({ allowLocalSources: true });
    const dead = await receiver(new Promise<number>(() => undefined));
    const good = await receiver(204);
    for (let i = 0; i < 30; i += 1) await service.submit(dataUrl, { callbackUrl: dead.url });
    await expect.poll(() => dead.told.length, patience).toBe(4);
    for (let i = 0; i < 10; i += 1) await service.submit(dataUrl, { callbackUrl: good.url });
    await expect.poll(() => good.told.length, patience).toBe(10);
    expect(dead.told.length).toBe(4);
  });

  it('of one key holds back no other key, on however many ports nothing answers', async () => {
    const service = await openService({ allowLocalSources: true });
    const open = { now: 0, most: 0 };
    const dead = await Promise.all(Array.from({ length: 12 }, () => deafServer(open)));
    const { key } = (await service.call('POST', '/api/keys', { name: 'Plain' })).body as {
      key: string;
    };
    for (let i = 0; i < 48; i += 1) {
      const body = { imageUrl: dataUrl, callbackUrl: dead[i % dead.length] };
      const headers = { authorization: `KEY ${key}` };
      const { status } = await service.call('POST', '/api/image-upscaler', body, headers);
      expect(status).toBe(200);
    }
    await expect.poll(() => open.most, patience).toBe(20);
    const good = await receiver(204);
    await service.submit(dataUrl, { callbackUrl: good.url });
    await expect.poll(() => good.told.length, patience).toBe(1);
    expect(open.most).toBe(20);
  });

  it('is called although thousands of another host are due before it', async () => {
    const first = await openService({ allowLocalSources: true });
    const dead = await receiver(new Promise<number>(() => undefined));
    const good = await receiver(204);
    const taskId = await first.submit(dataUrl, { callbackUrl: good.url });
    await first.until(taskId, 'FINISHED');
    await first.close();
    copyTask(path.join(first.dataDir, 'enlarger.db'), taskId, [
      ...Array.from({ length: 11_000 }, () => dead.url),
      good.url,
    ]);
    const heardBefore = good.told.length;
    await openService({ allowLocalSources: true, dataDir: first.dataDir });
    await expect.poll(() => good.told.length, patience).toBeGreaterThan(heardBefore);
  });

  it('follows the rules for addresses of sources, where these changed after the submit too', async () => {
    const service = await openService({ script: () => ({ do: 'hold' }) });
    const { url, told } = await receiver(200);
    await service.call('PATCH', '/api/settings', { allowLocalSources: true });
    const taskId = await service.submit(dataUrl, { callbackUrl: url });
    await expect.poll(() => service.engine.isHeld(taskId), patience).toBe(true);
    await service.call('PATCH', '/api/settings', { allowLocalSources: false });
    service.engine.settle(taskId, { do: 'finish' });
    await expect
      .poll(async () => (await callbackOf(service, taskId))?.problem, patience)
      .toContain('private network');
    expect(told).toEqual([]);
    for (const callbackUrl of [
      url,
      'http://localhost:9/',
      'http://[::1]/',
      'http://192.168.0.7/told',
      'ftp://example.org/',
      'no address',
      'https://me:secret@example.org/',
    ]) {
      const answer = await service.call('POST', '/api/image-upscaler', {
        imageUrl: dataUrl,
        callbackUrl,
      });
      expect([answer.status, answer.text]).toEqual([400, expect.stringContaining('callbackUrl')]);
    }
  });

  it('waits in the record until the task ends, and is told after a restart', async () => {
    const { url, told } = await receiver(503, 200);
    const first = await openService({ allowLocalSources: true });
    const taskId = await first.submit(dataUrl, { callbackUrl: url });
    await expect
      .poll(async () => (await callbackOf(first, taskId))?.attempts, patience)
      .toBeGreaterThanOrEqual(1);
    await first.close();
    const second = await openService({ allowLocalSources: true, dataDir: first.dataDir });
    await expect
      .poll(() => callbackOf(second, taskId), patience)
      .toEqual({ state: 'delivered', attempts: 2 });
    expect(told).toHaveLength(2);
  });

  it('is told of the start too, if the submit names it, and of nothing that it does not name', async () => {
    const service = await openService({
      allowLocalSources: true,
      script: () => ({ do: 'hold' }),
    });
    const { url, told } = await receiver(204);
    const taskId = await service.submit(dataUrl, {
      callbackUrl: url,
      callbackEvents: ['started', 'finished'],
    });
    await expect.poll(() => told.length, patience).toBe(1);
    expect(JSON.parse(told[0]?.body ?? '')).toMatchObject({
      type: 'task.started',
      data: { taskId, status: 'PROCESSING' },
    });
    await expect.poll(() => service.engine.isHeld(taskId), patience).toBe(true);
    service.engine.settle(taskId, { do: 'finish' });
    await expect
      .poll(() => callbackOf(service, taskId), patience)
      .toEqual({ state: 'delivered', attempts: 1 });
    const [start, end] = told.map(({ headers, body }) => ({
      id: headers['webhook-id'],
      ...(JSON.parse(body) as Record<string, unknown>),
    }));
    expect(end).toMatchObject({ type: 'task.finished', data: { taskId, status: 'FINISHED' } });
    expect(start?.id).not.toBe(end?.id);
    expect(told).toHaveLength(2);
    const failing = await service.submit(dataUrl, {
      callbackUrl: url,
      callbackEvents: ['finished'],
    });
    await expect.poll(() => service.engine.isHeld(failing), patience).toBe(true);
    service.engine.settle(failing, { do: 'fail', code: 'NO_SUBJECT' });
    // A later event that is named shows that the failure was passed over.
    const last = await service.submit(dataUrl, { callbackUrl: url });
    await expect.poll(() => service.engine.isHeld(last), patience).toBe(true);
    service.engine.settle(last, { do: 'fail', code: 'NO_SUBJECT' });
    await expect.poll(() => told.length, patience).toBe(3);
    expect(JSON.parse(told[2]?.body ?? '')).toMatchObject({
      type: 'task.failed',
      data: { taskId: last, error: { code: 'NO_SUBJECT' } },
    });
    expect(await callbackOf(service, failing)).toBeUndefined();
  });

  it('of a start that fails is given up with the end, which comes after it', async () => {
    const service = await openService({
      allowLocalSources: true,
      script: () => ({ do: 'hold' }),
    });
    const { url, told } = await receiver(500, 204);
    const callbackEvents = ['started', 'finished'];
    const taskId = await service.submit(dataUrl, { callbackUrl: url, callbackEvents });
    await expect.poll(() => told.length, patience).toBe(1);
    await expect.poll(() => service.engine.isHeld(taskId), patience).toBe(true);
    service.engine.settle(taskId, { do: 'finish' });
    await expect
      .poll(() => callbackOf(service, taskId), patience)
      .toEqual({ state: 'delivered', attempts: 1 });
    expect(told.map(({ body }) => (JSON.parse(body) as { type: string }).type)).toEqual([
      'task.started',
      'task.finished',
    ]);
  });

  it('on this machine is allowed by a key that its person made so, and sources are not', async () => {
    const service = await openService();
    const { url, told } = await receiver(204);
    const keyOf = async (body: object) => {
      const { key } = (await service.call('POST', '/api/keys', body)).body as { key: string };
      return { authorization: `KEY ${key}` };
    };
    const local = await keyOf({ name: 'Local', localCallbacks: true });
    const plain = await keyOf({ name: 'Plain' });
    const send = (headers: object, imageUrl = dataUrl) =>
      service.call('POST', '/api/image-upscaler', { imageUrl, callbackUrl: url }, { ...headers });
    const refused = await send(plain);
    expect([refused.status, refused.text]).toEqual([400, expect.stringContaining('callbackUrl')]);
    expect((await send({})).status).toBe(400);
    const { taskId } = (await send(local)).body as { taskId: string };
    await expect
      .poll(() => callbackOf(service, taskId), patience)
      .toEqual({ state: 'delivered', attempts: 1 });
    expect(told).toHaveLength(1);
    const { taskId: fetching } = (await send(local, url)).body as { taskId: string };
    await expect
      .poll(async () => (await service.record(fetching)).error?.code, patience)
      .toBe('SOURCE_REFUSED');
    const { keys } = (await service.call('GET', '/api/keys')).body as {
      keys: { name: string; localCallbacks?: boolean }[];
    };
    const listed = keys.filter(({ name }) => ['Local', 'Plain'].includes(name));
    expect(listed.map(({ localCallbacks }) => localCallbacks)).toEqual([true, undefined]);
  });

  it('has the rights of the key that named it last, not of the key of the submit', async () => {
    const service = await openService({ script: () => ({ do: 'hold' }) });
    const { url, told } = await receiver(204);
    const authorizationOf = async (body: object) => {
      const { key } = (await service.call('POST', '/api/keys', body)).body as { key: string };
      return { authorization: `KEY ${key}` };
    };
    const local = await authorizationOf({ name: 'Local', localCallbacks: true });
    const plain = await authorizationOf({ name: 'Plain' });
    const submitBy = async (headers: Record<string, string>, callbackUrl?: string) => {
      const body = { imageUrl: dataUrl, ...(callbackUrl !== undefined && { callbackUrl }) };
      const { body: answer } = await service.call('POST', '/api/image-upscaler', body, headers);
      return (answer as { taskId: string }).taskId;
    };
    // Two tasks are in the engine at a time; those behind them wait and can be changed.
    const running = [await submitBy(plain), await submitBy(plain)];
    for (const taskId of running)
      await expect.poll(() => service.engine.isHeld(taskId), patience).toBe(true);
    const [taken, given] = [await submitBy(local, url), await submitBy(plain)];
    const name = async (taskId: string, headers: Record<string, string>) => {
      const body = { options: { callbackUrl: url } };
      return (await service.call('PATCH', `/api/task/${taskId}`, body, headers)).status;
    };
    // In place of a name that leads elsewhere when it is called.
    await service.call('PATCH', '/api/settings', { allowLocalSources: true });
    expect(await name(taken, plain)).toBe(200);
    await service.call('PATCH', '/api/settings', { allowLocalSources: false });
    expect(await name(given, plain)).toBe(400);
    expect(await name(given, local)).toBe(200);
    for (const taskId of [...running, taken, given]) {
      await expect.poll(() => service.engine.isHeld(taskId), patience).toBe(true);
      service.engine.settle(taskId, { do: 'finish' });
    }
    await expect
      .poll(async () => (await callbackOf(service, taken))?.problem, patience)
      .toContain('private network');
    await expect
      .poll(async () => (await callbackOf(service, given))?.state, patience)
      .toBe('delivered');
    expect(told).toHaveLength(1);
  });

  it('on this machine is not called any more when its key is revoked', async () => {
    const service = await openService({ script: () => ({ do: 'hold' }) });
    const { url, told } = await receiver(204);
    const made = await service.call('POST', '/api/keys', { name: 'Local', localCallbacks: true });
    const { key, id } = made.body as { key: string; id: string };
    const answer = await service.call(
      'POST',
      '/api/image-upscaler',
      { imageUrl: dataUrl, callbackUrl: url },
      { authorization: `KEY ${key}` },
    );
    const { taskId } = answer.body as { taskId: string };
    await expect.poll(() => service.engine.isHeld(taskId), patience).toBe(true);
    await service.call('DELETE', `/api/keys/${id}`);
    service.engine.settle(taskId, { do: 'finish' });
    await expect
      .poll(async () => (await callbackOf(service, taskId))?.problem, patience)
      .toContain('private network');
    expect(told).toEqual([]);
  });
});
