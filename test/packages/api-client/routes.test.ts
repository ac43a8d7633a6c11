/** Ids of any text lead to the route that is asked for and to no other: they come from agents and programs too. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import { expect, it, onTestFinished } from 'vitest';
import { createClient as createPublished } from '../../../packages/client/src/index.ts';
import {
  createDeviceCalls,
  createModelCalls,
} from '../../../packages/api-client/src/model-calls.ts';
import {
  createPictureCalls,
  createSavingCalls,
} from '../../../packages/api-client/src/picture-calls.ts';
import { createSettingCalls } from '../../../packages/api-client/src/setting-calls.ts';
import { createTaskCalls } from '../../../packages/api-client/src/task-calls.ts';
import { createTransport } from '../../../packages/api-client/src/transport.ts';

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
  const pictures = createPictureCalls(transport);
  const saving = createSavingCalls(transport);
  const models = createModelCalls(transport);
  const devices = createDeviceCalls(transport);
  const published = createPublished({ url, key: 'key' });
  const { signal } = new AbortController();
  const task = (rest = '') => new RegExp(`^/api/task/[^/?#]+${rest}$`);
  const model = (rest = '') => new RegExp(`^/api/models/[^/?#]+${rest}$`);
  const device = (rest: string) => new RegExp(`^/api/devices/[^/?#]+${rest}$`);
  const calls: [route: RegExp, call: (id: string) => Promise<unknown>][] = [
    [task(), (id) => tasks.task(id)],
    [/^\/api\/tasks\/[^/?#]+$/, (id) => tasks.record(id)],
    [task('/cancel'), (id) => tasks.cancel(id)],
    [task('/retry'), (id) => tasks.retry(id)],
    [task('/again'), (id) => tasks.again(id, {})],
    [task('/mark'), (id) => tasks.mark(id, { mark: 'good' } as never)],
    [task('/restore'), (id) => tasks.restore(id)],
    [task(), (id) => tasks.change(id, { priority: 1 })],
    [task(), (id) => tasks.remove(id)],
    [/^\/api\/notices\/[^/?#]+$/, (id) => tasks.dismissNotice(id as never)],
    [task('/tiles/source'), (id) => pictures.tiles(id, 'source')],
    [task('/mask'), (id) => pictures.mask(id)],
    [task('/mask'), (id) => pictures.correctMask(id, {})],
    [task('/changes'), (id) => pictures.changes(id)],
    [task('/metadata'), (id) => pictures.metadata(id)],
    [task('/convert'), (id) => pictures.convert(id, { format: 'png' })],
    [task('/save'), (id) => saving.save(id, { saveTo: '/pictures' })],
    [task('/taken'), (id) => saving.taken(id)],
    [/^\/api\/keys\/[^/?#]+$/, (id) => settings.revokeKey(id)],
    [/^\/api\/presets\/[^/?#]+$/, (id) => settings.changePreset(id, {})],
    [/^\/api\/presets\/[^/?#]+$/, (id) => settings.removePreset(id)],
    [/^\/api\/watches\/[^/?#]+$/, (id) => settings.changeWatch(id, {})],
    [/^\/api\/watches\/[^/?#]+$/, (id) => settings.removeWatch(id)],
    [model(), (id) => models.removeModel(id, false)],
    [model(), (id) => models.correctModel(id, {})],
    [model('/blend'), (id) => models.blendModels(id, { with: 'a', share: 0.5 })],
    [model('/download'), (id) => models.modelDownloads.start(id)],
    [model('/download'), (id) => models.modelDownloads.get(id)],
    [model('/download/sse'), (id) => models.modelDownloads.events(id)],
    [model('/download'), (id) => models.modelDownloads.cancel(id)],
    [device('/download'), (id) => devices.deviceDownloads.start(id)],
    [device('/files'), (id) => devices.addDeviceFiles(id, new Blob(['a']), signal)],
    [device('/files'), (id) => devices.removeDeviceFiles(id)],
    [/^\/api\/tasks\/[^/?#]+$/, (id) => published.record(id)],
    [task(), (id) => published.task(id)],
    [task('/cancel'), (id) => published.cancel(id)],
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
