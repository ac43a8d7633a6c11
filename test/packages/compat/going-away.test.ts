/** A client that goes away before its answer: in every family its task is cancelled, and nothing of it is kept. */
import { expect, it } from 'vitest';
import type { RequestLog } from '../../../packages/contract/src/queue.ts';
import type { TaskList } from '../../../packages/contract/src/task.ts';
import { containing, leftFiles, openCompatService } from '../../support/compat-service.ts';
import { testModel, testRemover } from '../../support/service.ts';

const photo = Buffer.from('iVBORw0KGgo=', 'base64');

function formWith(field: string, fields: Record<string, string> = {}): FormData {
  const form = new FormData();
  form.set(field, new Blob([new Uint8Array(photo)]), 'photo.png');
  for (const [name, value] of Object.entries(fields)) form.set(name, value);
  return form;
}

const image = photo.toString('base64');
it.each<[string, FormData | string]>([
  ['/v1.0/removebg', formWith('image_file')],
  ['/api/remove', formWith('file')],
  ['/v1/images/edits', formWith('image', { prompt: 'x' })],
  ['/v1/images/variations', formWith('image')],
  ['/v1/images/upscale', JSON.stringify({ image, model: 'enlarger-2x' })],
  ['/sdapi/v1/extra-single-image', JSON.stringify({ image, upscaler_1: 'R-ESRGAN 4x+' })],
  [
    '/sdapi/v1/extra-batch-images',
    JSON.stringify({
      imageList: [{ data: image, name: 'a.png' }],
      upscaler_1: 'R-ESRGAN 4x+',
    }),
  ],
])('ends the work of %s', async (route, body) => {
  const service = await openCompatService({
    script: () => ({ do: 'hold' }),
    models: [testModel, testRemover],
  });
  const leaving = new AbortController();
  const asked = fetch(service.compatUrl + route, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${service.programKey}`,
      ...(typeof body === 'string' && { 'content-type': 'application/json' }),
    },
    body,
    signal: leaving.signal,
  });
  await expect.poll(() => service.engine.inFlight, { timeout: 20_000 }).toBe(1);
  leaving.abort();
  await expect(asked).rejects.toThrow(/abort/i);
  const tasks = async () => ((await service.call('GET', '/api/tasks')).body as TaskList).tasks;
  await expect
    .poll(tasks, { timeout: 20_000 })
    .toMatchObject([{ status: 'FAILED', error: { code: 'CANCELLED' }, priority: 11 }]);
  await expect.poll(() => service.engine.inFlight).toBe(0);
  const { requests } = (await service.call('GET', '/api/requests')).body as RequestLog;
  expect(requests.filter(({ path }) => path === route)).toMatchObject([
    { statusCode: 499, keyName: 'Program' },
  ]);
  const [task] = await tasks();
  await service.call('DELETE', `/api/task/${task?.taskId ?? ''}?now=true`);
  expect(await leftFiles(service)).toEqual([]);
});

it.each([
  ['/v1.0/removebg', formWith('image_file'), { errors: [{ code: 'queue_paused' }] }],
  ['/v1/images/edits', formWith('image', { prompt: 'x' }), { error: { code: 'queue_paused' } }],
  ['/api/remove', formWith('file'), { detail: containing('paused') }],
  [
    '/sdapi/v1/extra-single-image',
    JSON.stringify({ image, upscaler_1: 'R-ESRGAN 4x+' }),
    { detail: containing('paused') },
  ],
])('says at %s that the queue is paused, not that it is ending', async (route, body, expected) => {
  const service = await openCompatService({ models: [testModel, testRemover] });
  await service.call('POST', '/api/queue/pause');
  const response = await fetch(service.compatUrl + route, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${service.programKey}`,
      ...(typeof body === 'string' && { 'content-type': 'application/json' }),
    },
    body,
  });
  expect([response.status, response.headers.get('retry-after')]).toEqual([503, '60']);
  expect(await response.json()).toMatchObject(expected);
});

it('keeps no file of a picture that a paused queue refuses', async () => {
  const service = await openCompatService({ models: [testModel, testRemover] });
  await service.call('POST', '/api/queue/pause');
  const answer = await fetch(`${service.compatUrl}/api/remove`, {
    method: 'POST',
    headers: { authorization: `Bearer ${service.programKey}` },
    body: formWith('file'),
  });
  expect(answer.status).toBe(503);
  expect(await leftFiles(service)).toEqual([]);
});
