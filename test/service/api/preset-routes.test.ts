import { describe, expect, it } from 'vitest';
import type { Preset, PresetList } from '../../../packages/contract/src/settings/preset.ts';
import { openService, testModel, testRemover, type TestService } from '../../support/service.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const models = [testModel, testRemover];
const web = {
  name: 'Web',
  operation: 'upscale',
  options: { scale: 4, format: 'webp', quality: 80 },
};

const all = async (service: TestService) =>
  ((await service.call('GET', '/api/presets')).body as PresetList).presets;
/** Without those that ship. */
const listed = async (service: TestService) =>
  (await all(service)).filter(({ id }) => !id.startsWith('shipped-'));

async function make(service: TestService, body: object = web): Promise<Preset> {
  const response = await service.call('POST', '/api/presets', body);
  expect(response).toMatchObject({ status: 200 });
  return response.body as Preset;
}

describe('a preset', () => {
  it('keeps the options of a submit under a name, over a restart too', async () => {
    const dataDir = temporaryFolder();
    const first = await openService({ dataDir });
    const preset = await make(first);
    expect(preset).toMatchObject(web);
    expect(preset.createdAt).toMatch(/^\d{4}-.*Z$/);
    await first.close();
    const second = await openService({ dataDir });
    expect(await listed(second)).toEqual([preset]);
  });

  it('is listed by name', async () => {
    const service = await openService();
    for (const name of ['print', 'Archive', 'Web']) await make(service, { ...web, name });
    expect((await listed(service)).map(({ name }) => name)).toEqual(['Archive', 'print', 'Web']);
  });

  it('has a name that no other has, whatever its case', async () => {
    const service = await openService();
    await make(service);
    const other = await make(service, { ...web, name: 'Print' });
    const again = await service.call('POST', '/api/presets', { ...web, name: ' wEB ' });
    expect(again).toMatchObject({ status: 409, body: { code: 'CONFLICT' } });
    expect(again.text).toContain('There is a preset Web already');
    const route = `/api/presets/${other.id}`;
    expect((await service.call('PATCH', route, { name: 'web' })).status).toBe(409);
    expect((await service.call('PATCH', route, { name: 'PRINT' })).body).toMatchObject({
      name: 'PRINT',
    });
  });

  it('is refused as a submit with its options is', async () => {
    const service = await openService({ models });
    const refusals = [
      [
        { scale: 3 },
        'Expected options.scale to be one of 1, 2, 4, 8, 16 but received 3 of type number.',
      ],
      [{ scale: 2, width: 100 }, 'Expected one of scale, width'],
      [{ imageUrl: 'http://example.org' }, 'received options.imageUrl'],
      [{ background: 'blur' }, 'received options.background'],
      [{ model: 'nope' }, 'Expected model to be one of faithful'],
    ] as const;
    for (const [options, sentence] of refusals) {
      const response = await service.call('POST', '/api/presets', { ...web, options });
      expect(response).toMatchObject({ status: 400, body: { code: 'INVALID_REQUEST' } });
      expect(response.text).toContain(sentence);
    }
    const elsewhere = { ...web, options: { saveTo: '/nowhere' } };
    expect((await service.call('POST', '/api/presets', elsewhere)).body).toMatchObject({
      code: 'FORBIDDEN_PATH',
    });
    for (const body of [
      { ...web, name: ' ' },
      { ...web, name: '' },
      { name: 'a', options: {} },
    ])
      expect((await service.call('POST', '/api/presets', body)).status).toBe(400);
  });

  it('can be of either operation, and become one of the other with its options', async () => {
    const service = await openService({ models });
    const body = { name: 'Cut', operation: 'remove-bg', options: { background: 'white' } };
    const { id } = await make(service, body);
    const patch = (change: object) => service.call('PATCH', `/api/presets/${id}`, change);
    expect((await patch({ operation: 'upscale' })).text).toContain('received options.background');
    const both = { operation: 'upscale', options: { scale: 8 } };
    expect((await patch(both)).body).toMatchObject({ id, name: 'Cut', ...both });
    expect((await patch({})).status).toBe(400);
  });

  it('holds no strokes, which belong to one photo', async () => {
    const service = await openService({ models });
    const strokes = [{ kind: 'keep', radius: 0.05, points: [[0.5, 0.5]] }];
    const body = { name: 'Cut', operation: 'remove-bg', options: { strokes } };
    const response = await service.call('POST', '/api/presets', body);
    expect(response.body).toMatchObject({ statusCode: 400, code: 'INVALID_REQUEST' });
    expect(response.text).toContain('options.strokes');
  });

  it('is gone when it is deleted', async () => {
    const service = await openService();
    const { id } = await make(service);
    expect((await service.call('DELETE', `/api/presets/${id}`)).status).toBe(204);
    expect(await listed(service)).toEqual([]);
    for (const method of ['DELETE', 'PATCH'])
      expect(
        (await service.call(method, `/api/presets/${id}`, method === 'PATCH' ? web : undefined))
          .body,
      ).toMatchObject({ statusCode: 404, code: 'NOT_FOUND' });
  });

  it('ships three times, each of which can be used, and stays away once it was removed', async () => {
    const dataDir = temporaryFolder();
    const first = await openService({ dataDir, models });
    const shipped = await all(first);
    expect(shipped.map(({ name }) => name)).toEqual(['Print 2x', 'Shop picture', 'Web 4x']);
    for (const { id, operation, options } of shipped) {
      const same = await first.call('PATCH', `/api/presets/${id}`, { operation, options });
      expect(same).toMatchObject({ status: 200, body: { operation, options } });
    }
    await first.call('DELETE', `/api/presets/${shipped[0]?.id}`);
    await first.close();
    const second = await openService({ dataDir, models });
    expect((await all(second)).map(({ name }) => name)).toEqual(['Shop picture', 'Web 4x']);
  });
});
