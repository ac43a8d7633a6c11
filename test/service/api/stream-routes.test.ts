import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createParser } from 'eventsource-parser';
import { EventSource } from 'eventsource';
import { describe, expect, it } from 'vitest';
import type { TaskView } from '../../../packages/contract/src/task.ts';
import { openService, type TestService } from '../../support/service.ts';
import { eventsIn, openStream } from '../../support/sse.ts';

const held = () => openService({ script: () => ({ do: 'hold' }) });

async function running(service: TestService): Promise<string> {
  const taskId = await service.submit();
  await expect.poll(() => service.engine.isHeld(taskId)).toBe(true);
  return taskId;
}

describe('the stream of one task', () => {
  it('is bytes as the contract shows them, and the connection ends after FINISHED', async () => {
    const service = await held();
    const taskId = await running(service);
    const stream = openStream(service.url, `/api/task/${taskId}/sse`, service.key);
    await stream.until('"PROCESSING"');
    service.engine.settle(taskId, { do: 'finish' });
    await stream.closed();

    const [head = '', ...rest] = stream.text().split('\r\n\r\n');
    expect(head).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
    expect(head).toMatch(/\r\ncontent-type: text\/event-stream; charset=utf-8\r\n/i);
    expect(head).toMatch(/\r\ncache-control: no-cache, no-transform\r\n/i);
    expect(head).toMatch(/\r\nconnection: close(\r\n|$)/i);
    expect(head).not.toMatch(/transfer-encoding/i);
    const body = rest.join('\r\n\r\n');
    expect(body).toContain(
      `event: message\ndata: {"taskId":"${taskId}","status":"PROCESSING","progress":5}\n\n`,
    );
    const events = eventsIn(body);
    expect(events.every(({ id, event }) => id === undefined && event === 'message')).toBe(true);
    const last = events.at(-1)?.data;
    expect(last).toMatchObject({ taskId, status: 'FINISHED' });
    expect(last?.['imageUrl']).toMatch(new RegExp(`^${service.url}/api/results/${taskId}/image`));
    expect(last?.['thumbUrl']).toMatch(new RegExp(`^${service.url}/api/results/${taskId}/thumb`));
  });

  it('starts with the present state and keeps the order of changes', async () => {
    const service = await held();
    await running(service);
    await running(service);
    const waiting = await service.submit();
    const stream = openStream(service.url, `/api/task/${waiting}/sse`, service.key);
    await stream.until('PENDING');
    for (const job of [...service.engine.jobs])
      service.engine.settle(job.jobId.slice(0, 36), { do: 'finish' });
    await expect.poll(() => service.engine.isHeld(waiting)).toBe(true);
    service.engine.settle(waiting, { do: 'finish' });
    await stream.closed();
    const states = eventsIn(stream.body()).map(({ data }) => data['status']);
    expect(states[0]).toBe('PENDING');
    expect(states.slice(1, -1).every((state) => state === 'PROCESSING')).toBe(true);
    expect(states.length).toBeGreaterThan(2);
    expect(states.at(-1)).toBe('FINISHED');
  });

  it('gives a late client PROCESSING 100 and then FINISHED', async () => {
    const service = await openService();
    const taskId = await service.submit();
    await service.until(taskId, 'FINISHED');
    const stream = openStream(service.url, `/api/task/${taskId}/sse`, service.key);
    await stream.closed();
    const events = eventsIn(stream.body()).map(({ data }) => data);
    expect(events).toHaveLength(2);
    expect(events[0]).toEqual({ taskId, status: 'PROCESSING', progress: 100 });
    expect(events[1]).toMatchObject({ taskId, status: 'FINISHED' });
  });

  it('carries the error of a failed task and closes', async () => {
    const service = await openService({ script: () => ({ do: 'fail', code: 'UNREADABLE_IMAGE' }) });
    const taskId = await service.submit();
    await service.until(taskId, 'FAILED');
    const stream = openStream(service.url, `/api/task/${taskId}/sse`, service.key);
    await stream.closed();
    expect(eventsIn(stream.body()).map(({ data }) => data)).toEqual([
      {
        taskId,
        status: 'FAILED',
        error: { code: 'UNREADABLE_IMAGE', message: expect.any(String) as string },
      },
    ]);
  });

  it('ends as cancelled when the task is deleted under it', async () => {
    const service = await held();
    const taskId = await running(service);
    const stream = openStream(service.url, `/api/task/${taskId}/sse`, service.key);
    await stream.until('PROCESSING');
    await service.call('DELETE', `/api/task/${taskId}`);
    await stream.closed();
    expect(eventsIn(stream.body()).at(-1)?.data).toMatchObject({
      status: 'FAILED',
      error: { code: 'CANCELLED' },
    });
  });

  it('sends its headers before there is anything to say and a comment while it is silent', async () => {
    const service = await openService({
      script: () => ({ do: 'hold' }),
      limits: { keepAliveMs: 30 },
    });
    const taskId = await running(service);
    const stream = openStream(service.url, `/api/task/${taskId}/sse`, service.key);
    await stream.until(': keep-alive\n\n: keep-alive\n\n');
    eventsIn(stream.body());
  });

  it('answers 404 for what is no task and refuses HEAD', async () => {
    const service = await openService();
    expect((await service.call('GET', '/api/task/nothing/sse')).status).toBe(404);
    const taskId = await service.submit();
    expect((await service.call('HEAD', `/api/task/${taskId}/sse`)).status).toBe(405);
  });

  it('ends when the service does', async () => {
    const service = await held();
    const taskId = await running(service);
    const stream = openStream(service.url, `/api/task/${taskId}/sse`, service.key);
    await stream.until('PROCESSING');
    await service.close();
    await stream.closed();
  });
});

describe('clients of the stream', () => {
  it('curl reads it to its end', async () => {
    const service = await openService({ script: () => ({ do: 'finish', afterMs: 200 }) });
    const taskId = await service.submit();
    const curl = spawn('curl', [
      ...['-sN', '--noproxy', '*', '-H', `Authorization: KEY ${service.key}`],
      `${service.url}/api/task/${taskId}/sse`,
    ]);
    let text = '';
    curl.stdout.on('data', (chunk: Buffer) => (text += chunk.toString()));
    expect(await once(curl, 'close')).toEqual([0, null]);
    expect(eventsIn(text).at(-1)?.data).toMatchObject({ taskId, status: 'FINISHED' });
  });

  it('the eventsource package reads it until the client closes on FINISHED', async () => {
    const service = await openService({ script: () => ({ do: 'finish', afterMs: 100 }) });
    const taskId = await service.submit();
    const source = new EventSource(`${service.url}/api/task/${taskId}/sse`, {
      fetch: (input, init) =>
        fetch(input, {
          ...init,
          headers: { ...init.headers, Authorization: `KEY ${service.key}` },
        }),
    });
    const states = await new Promise<string[]>((resolve, reject) => {
      const seen: string[] = [];
      source.onerror = (event) => reject(new Error(event.message));
      source.onmessage = ({ data }) => {
        const view = JSON.parse(String(data)) as TaskView;
        seen.push(view.status);
        if (view.status !== 'FINISHED') return;
        source.close();
        resolve(seen);
      };
    });
    expect(states).toContain('PROCESSING');
    expect(states.at(-1)).toBe('FINISHED');
  });

  it('the eventsource-parser package reads it over fetch', async () => {
    const service = await openService({ script: () => ({ do: 'finish', afterMs: 100 }) });
    const taskId = await service.submit();
    const response = await fetch(`${service.url}/api/task/${taskId}/sse`, {
      headers: { Authorization: `KEY ${service.key}` },
    });
    const seen: { event: string | undefined; status: string }[] = [];
    const parser = createParser({
      onEvent: ({ event, data }) =>
        seen.push({ event, status: (JSON.parse(data) as TaskView).status }),
    });
    const text = response.body?.pipeThrough(new TextDecoderStream());
    if (text === undefined) throw new Error('The stream has no body.');
    for await (const chunk of text) parser.feed(chunk);
    expect(seen.map(({ status }) => status)).toContain('PROCESSING');
    expect(seen.at(-1)).toEqual({ event: 'message', status: 'FINISHED' });
  });
});
