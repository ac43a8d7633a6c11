/** What a person says of a result after looking at it. */
import { expect, it } from 'vitest';
import { dataUrl, openService } from '../../support/service.ts';

it('a result is accepted or rejected, and that outlives a restart, a removal and its undoing', async () => {
  const service = await openService();
  const taskId = await service.submit(dataUrl);
  await service.until(taskId, 'FINISHED');
  const mark = (value: unknown) => service.call('PUT', `/api/task/${taskId}/mark`, { mark: value });
  const marked = async () => (await service.record(taskId)).mark;
  expect(await marked()).toBeUndefined();
  expect(await mark('accepted')).toMatchObject({ status: 200, body: { mark: 'accepted' } });
  expect(await marked()).toBe('accepted');
  expect((await mark('rejected')).status).toBe(200);
  await service.call('DELETE', `/api/task/${taskId}`);
  await service.call('POST', `/api/task/${taskId}/restore`);
  expect(await marked()).toBe('rejected');
  expect((await mark('good')).status).toBe(400);
  expect((await mark(null)).status).toBe(200);
  expect(await marked()).toBeUndefined();
});

it('what is not finished is not marked', async () => {
  const service = await openService();
  const none = await service.call('PUT', '/api/task/none/mark', { mark: 'accepted' });
  expect(none.status).toBe(404);
  await service.call('POST', '/api/queue/pause');
  const taskId = await service.submit(dataUrl);
  const waiting = await service.call('PUT', `/api/task/${taskId}/mark`, { mark: 'accepted' });
  expect(waiting).toMatchObject({ status: 409, body: { code: 'CONFLICT' } });
});
