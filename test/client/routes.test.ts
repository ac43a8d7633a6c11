/** Ids of any text lead to the route that is asked for and to no other: they come from agents and programs too. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import { expect, it, onTestFinished } from 'vitest';
import { createClient as createPublished } from '../../packages/client/src/index.ts';
import { createModelCalls } from '../../electron/client/model-calls.ts';
import { createPictureCalls } from '../../electron/client/picture-calls.ts';
import { createSettingCalls } from '../../electron/client/setting-calls.ts';
import { createTaskCalls } from '../../electron/client/task-calls.ts';
import { createTransport } from '../../electron/client/transport.ts';

async function openRecorder() {
  const paths: string[] = [];
  const server = createServer((request, response) => {
    paths.push(request.url ?? '');
    response.end('{}');
  });
  server.listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  return { paths, url: `http://127.0.0.1:${port}` };
}

const leading = [
  '../settings',
  '../../api/keys',
  '..',
  '.',
  '',
  'a/../../keys',
  'a?b=c',
  'a#b',
  '..\\keys',
  '%2e%2e',
];

it('whatever an id is, its call stays below its own route', async () => {
  const { paths, url } = await openRecorder();
  const transport = createTransport({ url, key: 'key' });
  const tasks = createTaskCalls(transport);
  const settings = createSettingCalls(transport);
  const calls: [route: RegExp, call: (id: string) => Promise<unknown>][] = [
    [/^\/api\/task\/[^/?#]+$/, (id) => tasks.task(id)],
    [/^\/api\/tasks\/[^/?#]+$/, (id) => tasks.record(id)],
    [/^\/api\/task\/[^/?#]+\/cancel$/, (id) => tasks.cancel(id)],
    [/^\/api\/task\/[^/?#]+$/, (id) => tasks.remove(id)],
    [/^\/api\/task\/[^/?#]+\/mask$/, (id) => createPictureCalls(transport).mask(id)],
    [/^\/api\/task\/[^/?#]+\/mask$/, (id) => createPictureCalls(transport).correctMask(id, {})],
    [/^\/api\/keys\/[^/?#]+$/, (id) => settings.revokeKey(id)],
    [/^\/api\/presets\/[^/?#]+$/, (id) => settings.removePreset(id)],
    [/^\/api\/watches\/[^/?#]+$/, (id) => settings.removeWatch(id)],
    [/^\/api\/models\/[^/?#]+$/, (id) => createModelCalls(transport).removeModel(id, false)],
    [/^\/api\/tasks\/[^/?#]+$/, (id) => createPublished({ url, key: 'key' }).record(id)],
    [/^\/api\/task\/[^/?#]+\/cancel$/, (id) => createPublished({ url, key: 'key' }).cancel(id)],
  ];
  for (const [route, call] of calls)
    for (const id of leading) {
      paths.length = 0;
      const isSent = await Promise.resolve()
        .then(() => call(id))
        .then(
          () => true,
          (thrown: unknown) => {
            expect(thrown).toMatchObject({ code: 'INVALID_REQUEST' });
            return false;
          },
        );
      expect(isSent).toBe(!['', '.', '..'].includes(id));
      for (const path of paths) expect(path).toMatch(route);
    }
});
