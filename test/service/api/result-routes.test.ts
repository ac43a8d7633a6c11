import { rm } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import type { TaskView } from '../../../packages/contract/src/task.ts';
import type { Clock } from '../../../electron/service/timing/clock.ts';
import { openService, type TestService } from '../../support/service.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const keyless = { authorization: '' };

async function finished(service: TestService, name = 'photo.jpg'): Promise<TaskView> {
  const upload = await service.call(
    'POST',
    `/api/uploads?name=${encodeURIComponent(name)}`,
    bytes,
    {
      'content-type': 'image/jpeg',
    },
  );
  const taskId = await service.submit((upload.body as { imageUrl: string }).imageUrl);
  return service.until(taskId, 'FINISHED');
}

const bytes = Buffer.from('a picture');

function linkOf(view: TaskView): string {
  if (view.imageUrl === undefined) throw new Error('The task has no link.');
  return view.imageUrl;
}

function movableClock(): Clock & { pass(ms: number): void } {
  let now = Date.UTC(2026, 0, 1);
  return { wallMs: () => now, monotonicMs: () => now, pass: (ms) => void (now += ms) };
}

describe('a result link', () => {
  it('is read without a key, with type, length, ETag and a name', async () => {
    const service = await openService();
    const view = await finished(service, 'Grüße "1".jpg');
    const response = await service.call('GET', linkOf(view), undefined, keyless);
    expect(response.status).toBe(200);
    expect(response.text).toBe(`image of ${view.taskId}-1`);
    expect(response.headers.get('content-type')).toBe('image/jpeg');
    expect(response.headers.get('content-length')).toBe(String(response.text.length));
    expect(response.headers.get('etag')).toMatch(/^"[^"]+"$/);
    expect(response.headers.get('accept-ranges')).toBe('bytes');
    expect(response.headers.get('content-disposition')).toBe(
      `inline; filename="Gr__e _1_-2x.jpg"; filename*=UTF-8''Gr%C3%BC%C3%9Fe%20_1_-2x.jpg`,
    );
    const thumb = await service.call('GET', view.thumbUrl ?? '', undefined, keyless);
    expect(thumb.text).toBe(`thumb of ${view.taskId}-1`);
  });

  it('is named after what was made, also where a size was asked for', async () => {
    const service = await openService();
    const taskId = await service.submit(undefined, { width: 2000 });
    const view = await service.until(taskId, 'FINISHED');
    const response = await service.call('HEAD', linkOf(view), undefined, keyless);
    expect(response.headers.get('content-disposition')).toContain('-2x.jpg');
  });

  it('answers HEAD with the same headers and no body', async () => {
    const service = await openService();
    const link = linkOf(await finished(service));
    const whole = await service.call('GET', link, undefined, keyless);
    const head = await service.call('HEAD', link, undefined, keyless);
    expect(head.text).toBe('');
    for (const name of ['content-length', 'content-type', 'etag', 'content-disposition'])
      expect(head.headers.get(name)).toBe(whole.headers.get(name));
  });

  it('is the one thing that pages of other origins may read', async () => {
    const service = await openService();
    const link = linkOf(await finished(service));
    const foreign = { ...keyless, origin: 'https://shop.example', 'sec-fetch-site': 'cross-site' };
    for (const method of ['GET', 'HEAD']) {
      const response = await service.call(method, link, undefined, foreign);
      expect(response.status).toBe(200);
      expect(response.headers.get('access-control-allow-origin')).toBe('*');
      expect(response.headers.get('cross-origin-resource-policy')).toBe('cross-origin');
    }
    expect((await service.call('DELETE', link, undefined, foreign)).status).toBe(403);
  });

  it('is refused with any other signature, expiry, file or task', async () => {
    const service = await openService();
    const [link, other] = [linkOf(await finished(service)), linkOf(await finished(service))];
    const signature = new URL(link).searchParams.get('signature') ?? '';
    const forged = [
      link.replace(signature, signature.toUpperCase()),
      link.replace(signature, `${signature}0`),
      link.replace(signature, ''),
      link.replace(/&signature=.*/, ''),
      link.replace(/expires=\d+/, 'expires=99999999999999'),
      link.replace('/image.', '/thumb.'),
      link.replace('/image.', '/..%2f..%2fenlarger.'),
      link.replace(/results\/[^/]+/, (/results\/[^/]+/.exec(other) ?? [''])[0]),
      `${service.url}/api/results/../../etc/passwd`,
    ];
    for (const one of forged) {
      const { status, body } = await service.call('GET', one, undefined, keyless);
      expect([one, status]).toEqual([one, one.endsWith('passwd') ? 404 : 403]);
      if (status === 403) expect(body).toMatchObject({ code: 'FORBIDDEN_LINK' });
    }
  });

  it('is made from the address that was called and outlives a restart on another port', async () => {
    const dataDir = temporaryFolder();
    const first = await openService({ dataDir });
    const view = await finished(first);
    await first.close();
    const second = await openService({ dataDir });
    const moved = linkOf(view).replace(first.url, second.url);
    expect((await second.call('GET', moved, undefined, keyless)).status).toBe(200);
    const byName = second.url.replace('127.0.0.1', 'localhost');
    const named = await second.call('GET', `${byName}/api/task/${view.taskId}`);
    expect(linkOf(named.body as TaskView)).toBe(moved.replace('127.0.0.1', 'localhost'));
  });

  it('answers 410 after 24 hours, as the task and its stream do', async () => {
    const clock = movableClock();
    const service = await openService({ clock });
    const view = await finished(service);
    const link = linkOf(view);
    clock.pass(24 * 3_600_000 - 1000);
    expect((await service.call('GET', link, undefined, keyless)).status).toBe(200);
    clock.pass(1000);
    for (const route of [link, `/api/task/${view.taskId}`, `/api/task/${view.taskId}/sse`])
      expect((await service.call('GET', route)).body).toMatchObject({
        statusCode: 410,
        code: 'RESULT_EXPIRED',
      });
    expect((await service.record(view.taskId)).imageUrl).toBeUndefined();
    clock.pass(30 * 24 * 3_600_000);
    expect((await service.call('GET', `/api/task/${view.taskId}`)).status).toBe(404);
  });

  it('is nothing that a failed task has: it says why it failed until its row goes', async () => {
    const clock = movableClock();
    const service = await openService({
      clock,
      script: () => ({ do: 'fail', code: 'NO_SUBJECT' }),
    });
    const taskId = await service.submit();
    await service.until(taskId, 'FAILED');
    clock.pass(25 * 3_600_000);
    expect(await service.task(taskId)).toMatchObject({ error: { code: 'NO_SUBJECT' } });
    clock.pass(30 * 24 * 3_600_000);
    expect((await service.call('GET', `/api/task/${taskId}`)).status).toBe(404);
  });

  it('answers 404 when the file is gone or the task was deleted', async () => {
    const service = await openService();
    const view = await finished(service);
    await rm(path.join(service.dataDir, 'results', view.taskId), { recursive: true });
    expect((await service.call('GET', linkOf(view), undefined, keyless)).status).toBe(404);
    expect((await service.call('DELETE', `/api/task/${view.taskId}`)).status).toBe(204);
    expect((await service.call('GET', linkOf(view), undefined, keyless)).status).toBe(404);
  });
});

describe('a part of a result', () => {
  it('is sent for one range of bytes, and the whole for anything that is none', async () => {
    const service = await openService();
    const link = linkOf(await finished(service));
    const whole = (await service.call('GET', link)).text;
    const size = whole.length;
    const parts: [string, number, string, string | null][] = [
      ['bytes=0-3', 206, whole.slice(0, 4), `bytes 0-3/${size}`],
      ['bytes=4-', 206, whole.slice(4), `bytes 4-${size - 1}/${size}`],
      ['bytes=-5', 206, whole.slice(-5), `bytes ${size - 5}-${size - 1}/${size}`],
      ['bytes=-9999', 206, whole, `bytes 0-${size - 1}/${size}`],
      ['bytes=3-9999', 206, whole.slice(3), `bytes 3-${size - 1}/${size}`],
      ['bytes=5-2', 200, whole, null],
      ['bytes=0-1,3-4', 200, whole, null],
      ['pixels=0-1', 200, whole, null],
    ];
    for (const [range, status, text, contentRange] of parts) {
      const response = await service.call('GET', link, undefined, { range });
      expect([
        range,
        response.status,
        response.text,
        response.headers.get('content-range'),
      ]).toEqual([range, status, text, contentRange]);
      expect(response.headers.get('content-length')).toBe(String(text.length));
    }
  });

  it('is refused with 416 beyond the end', async () => {
    const service = await openService();
    const link = linkOf(await finished(service));
    for (const range of ['bytes=9999-', 'bytes=-0']) {
      const response = await service.call('GET', link, undefined, { range });
      expect(response.body).toMatchObject({ statusCode: 416, code: 'RANGE_NOT_SATISFIABLE' });
      expect(response.headers.get('content-range')).toMatch(/^bytes \*\/\d+$/);
    }
  });

  it('is sent under If-Range for the same content only', async () => {
    const service = await openService();
    const link = linkOf(await finished(service));
    const etag = (await service.call('HEAD', link)).headers.get('etag') ?? '';
    const range = 'bytes=0-3';
    const same = await service.call('GET', link, undefined, { range, 'if-range': etag });
    expect(same.status).toBe(206);
    const other = await service.call('GET', link, undefined, { range, 'if-range': '"other"' });
    expect(other.status).toBe(200);
    const known = await service.call('GET', link, undefined, { 'if-none-match': `"x", ${etag}` });
    expect([known.status, known.text]).toEqual([304, '']);
  });
});
