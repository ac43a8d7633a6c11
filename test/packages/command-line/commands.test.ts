/** What the commands about tasks do, over a real service. */
import { InvalidArgumentError } from 'commander';
import { expect, it } from 'vitest';
import { createClient } from '../../../packages/api-client/src/client.ts';
import { cancelTasks, listTasks, retryTasks } from '../../../packages/command-line/src/commands.ts';
import { heard } from '../../support/heard.ts';
import { openService } from '../../support/service.ts';

it('refuses a task that there is not, and changes none', async () => {
  const service = await openService();
  const client = createClient({ url: service.url, key: service.key });
  await client.switchQueue('pause');
  const taskId = await service.submit();
  const missing = '00000000-0000-4000-8000-000000000000';
  for (const change of [cancelTasks, retryTasks]) {
    const refused = change(client, [taskId, missing], new AbortController().signal);
    await expect(refused).rejects.toThrow(InvalidArgumentError);
    await expect(refused).rejects.toThrow(`No task has the id ${missing}.`);
  }
  expect((await client.record(taskId)).status).toBe('PENDING');
  expect(await cancelTasks(client, [taskId])).toBe(0);
});

it('calls a cancelled task cancelled, and counts it apart', async () => {
  const service = await openService();
  const client = createClient({ url: service.url, key: service.key });
  await client.switchQueue('pause');
  const taskId = await service.submit();
  await cancelTasks(client, [taskId]);
  const { lines } = heard();
  await listTasks(client, { limit: 20, json: false });
  expect(lines.map((line) => line.replaceAll(/ +/g, ' '))).toEqual([`${taskId} cancelled image`]);
  expect((await client.list(1)).counts).toMatchObject({ FAILED: 1, CANCELLED: 1 });
});
